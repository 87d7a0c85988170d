// SPDX-License-Identifier: MIT

import Foundation

/// The parts of the `User-Agent` value.
struct UserAgent {
    static let libraryName = "OpenMoya"
    static let libraryVersion = "0.1.0"

    var executable: String?
    var version: String?
    var bundleIdentifier: String?
    var build: String?
    var system: String
    var systemVersion: OperatingSystemVersion

    /// What this process is. Reads the bundle and the system: call it once.
    static var current: UserAgent {
        let info = Bundle.main.infoDictionary ?? [:]
        return UserAgent(
            executable: info["CFBundleExecutable"] as? String
                ?? CommandLine.arguments.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 },
            version: info["CFBundleShortVersionString"] as? String,
            bundleIdentifier: info["CFBundleIdentifier"] as? String,
            build: info["CFBundleVersion"] as? String,
            system: systemName,
            systemVersion: ProcessInfo.processInfo.operatingSystemVersion)
    }

    /// The field's value: comment and product tokens as RFC 9110 section 10.1.5 has them.
    var value: String {
        let number = "\(systemVersion.majorVersion).\(systemVersion.minorVersion).\(systemVersion.patchVersion)"
        let comment = "\(printable(bundleIdentifier)); build:\(printable(build)); \(system) \(number)"
        return "\(printable(executable))/\(printable(version)) (\(comment)) \(Self.libraryName)/\(Self.libraryVersion)"
    }

    /// A program may be called anything; a field value holds visible ASCII, and parentheses would end the comment.
    private func printable(_ part: String?) -> String {
        guard let part, !part.isEmpty else { return "Unknown" }
        return String(
            String.UnicodeScalarView(
                part.unicodeScalars.map { (" "..."~").contains($0) && !"()\\".unicodeScalars.contains($0) ? $0 : "_" }))
    }

    private static var systemName: String {
        #if os(macOS)
        "macOS"
        #elseif os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #elseif os(Linux)
        "Linux"
        #else
        "Unknown"
        #endif
    }
}

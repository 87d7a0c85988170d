// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// libcurl is used on Linux only, and there only while the trait `Curl` is on.
let whereCurlIs: TargetDependencyCondition? = .when(platforms: [.linux], traits: ["Curl"])

let package = Package(
    name: "OpenMoya",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Moya", targets: ["Moya"]),
        .library(name: "SAPFoundation", targets: ["SAPFoundation"]),
        .library(name: "HTTPSessions", targets: ["HTTPSessions"]),
        .library(name: "HTTPTesting", targets: ["HTTPTesting"]),
        .executable(name: "openmoya-demo", targets: ["Demo"]),
    ],
    traits: [
        .default(enabledTraits: ["Curl"]),
        .trait(name: "Curl", description: "CurlEngine, the transport over libcurl, on Linux. Off: URLSessionEngine there too."),
    ],
    // In the order in which a request meets them.
    targets: [
        .target(name: "ReactiveSignals"),
        .target(name: "Moya", dependencies: ["HTTPSessions", "HTTPAuthentication", "HTTPMessages"]),
        .target(name: "SAPFoundation", dependencies: ["HTTPSessions", "HTTPAuthentication", "HTTPMessages"]),
        .target(
            name: "HTTPSessions",
            dependencies: [
                "HTTPAuthentication", "HTTPMessages", "URLSessionEngine",
                .target(name: "CurlEngine", condition: whereCurlIs),
                .target(name: "CCryptoShim", condition: .when(platforms: [.linux])),
            ]),
        .target(
            name: "HTTPAuthentication",
            dependencies: ["HTTPMessages", .target(name: "CCryptoShim", condition: .when(platforms: [.linux]))]),
        .target(name: "HTTPMessages"),
        .target(
            name: "CurlEngine",
            dependencies: [
                "HTTPMessages", .target(name: "CCurlShim", condition: whereCurlIs),
                .target(name: "CCryptoShim", condition: whereCurlIs),
            ]),
        .target(name: "URLSessionEngine", dependencies: ["HTTPMessages"]),
        .target(
            name: "CCurlShim",
            linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux], traits: ["Curl"]))]),
        .target(name: "CCryptoShim", linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),

        .target(name: "HTTPTesting", dependencies: ["HTTPSessions", "HTTPAuthentication", "HTTPMessages"]),
        .executableTarget(name: "Demo", dependencies: ["Moya", "HTTPSessions", "HTTPTesting"], path: "Examples/Demo"),

        .testTarget(name: "MoyaTests", dependencies: ["Moya", "HTTPSessions", "HTTPMessages", "HTTPTesting"]),
        // Source as it is written for Swift 5, existential types without `any` included.
        .testTarget(name: "MoyaSwift5Tests", dependencies: ["Moya"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "SAPFoundationTests",
            dependencies: ["SAPFoundation", "HTTPSessions", "HTTPAuthentication", "HTTPMessages", "HTTPTesting"]),
        .testTarget(name: "HTTPSessionsTests", dependencies: ["HTTPSessions", "HTTPAuthentication", "HTTPMessages", "HTTPTesting"]),
        .testTarget(name: "HTTPAuthenticationTests", dependencies: ["HTTPAuthentication", "HTTPMessages", "HTTPTesting"]),
        .testTarget(name: "HTTPMessagesTests", dependencies: ["HTTPMessages"]),
        // Scenarios that every transport has to pass, run by the engines' tests.
        .target(name: "TransportSuite", dependencies: ["HTTPMessages", "HTTPTesting"], path: "Tests/TransportSuite"),
        .testTarget(
            name: "CurlEngineTests",
            dependencies: ["HTTPMessages", "HTTPTesting", "TransportSuite", .target(name: "CurlEngine", condition: whereCurlIs)]),
        .testTarget(name: "URLSessionEngineTests", dependencies: ["URLSessionEngine", "HTTPMessages", "HTTPTesting", "TransportSuite"]),
        .testTarget(name: "HTTPTestingTests", dependencies: ["HTTPTesting", "HTTPSessions", "HTTPMessages"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where !["CCurlShim", "CCryptoShim", "MoyaSwift5Tests"].contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("ExistentialAny")]
}

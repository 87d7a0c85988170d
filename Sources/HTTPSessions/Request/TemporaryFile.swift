// SPDX-License-Identifier: MIT

import Foundation

/// Where a download's content is until it is complete.
package enum TemporaryFile {
    /// A name in the temporary folder that nobody else uses, and that nobody can tell beforehand: others may write to that folder, too.
    package static func next() -> URL {
        let name = "openmoya-\(ProcessInfo.processInfo.processIdentifier)-\(UInt64.random(in: .min ... .max)).download"
        return FileManager.default.temporaryDirectory.appendingPathComponent(name)
    }

    /// Moves a complete file to its place, in one step.
    /// - Returns: `false` if its place is on another file system: then nothing has happened, and ``copy(_:to:)`` is left to do.
    static func move(_ source: URL, to destination: URL, options: DownloadRequest.Options) throws -> Bool {
        guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: [NSURLErrorKey: destination]) }
        if destination.standardizedFileURL == source.standardizedFileURL { return true }
        let manager = FileManager.default
        if options.contains(.createIntermediateDirectories) {
            try manager.createDirectory(at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        if !options.contains(.removePreviousFile), manager.fileExists(atPath: destination.path) {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: destination.path])
        }
        if rename(source, destination) { return true }
        guard errno == EXDEV else { throw failure(destination) }
        return false
    }

    /// Brings a complete file to its place on another file system: beside its place first, then in one step. Takes as long as copying does.
    static func copy(_ source: URL, to destination: URL) throws {
        let manager = FileManager.default
        let beside = destination.deletingLastPathComponent().appendingPathComponent(".\(source.lastPathComponent)")
        do {
            try manager.copyItem(at: source, to: beside)
            guard rename(beside, destination) else { throw failure(destination) }
        } catch {
            try? manager.removeItem(at: beside)
            throw error
        }
        try? manager.removeItem(at: source)
    }

    static func rename(_ source: URL, _ destination: URL) -> Bool {
        source.withUnsafeFileSystemRepresentation { source in
            destination.withUnsafeFileSystemRepresentation { destination in
                guard let source, let destination else { return false }
                return Foundation.rename(source, destination) == 0
            }
        }
    }

    private static func failure(_ destination: URL) -> any Error {
        CocoaError(
            errno == ENOENT ? .fileNoSuchFile : .fileWriteNoPermission,
            userInfo: [NSFilePathErrorKey: destination.path, NSUnderlyingErrorKey: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)])
    }
}

// SPDX-License-Identifier: MIT

import Foundation

/// What is asked of a file before it becomes a part.
enum MultipartFile {
    /// The file's length.
    /// - Throws: ``AFError/multipartEncodingFailed(reason:)`` with the first thing that is wrong with the file.
    static func length(of url: URL, using fileManager: FileManager) throws(AFError) -> UInt64 {
        guard url.isFileURL else { throw failure(.bodyPartURLInvalid(url: url)) }

        var isDirectory: ObjCBool = false
        guard fileManager.fileExists(atPath: url.path, isDirectory: &isDirectory) else { throw failure(.bodyPartFileNotReachable(at: url)) }
        guard !isDirectory.boolValue else { throw failure(.bodyPartFileIsDirectory(at: url)) }

        let attributes: [FileAttributeKey: Any]
        do {
            // The attributes of a symbolic link are its own, its length included.
            attributes = try fileManager.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        } catch {
            throw failure(.bodyPartFileSizeQueryFailedWithError(forURL: url, error: error))
        }
        // Opening a pipe would wait for its writer.
        guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber, size.int64Value >= 0
        else {
            throw failure(.bodyPartFileSizeNotAvailable(at: url))
        }
        guard fileManager.isReadableFile(atPath: url.path) else { throw failure(.bodyPartInputStreamCreationFailed(for: url)) }
        return UInt64(size.int64Value)
    }

    private static func failure(_ reason: AFError.MultipartEncodingFailureReason) -> AFError {
        .multipartEncodingFailed(reason: reason)
    }
}

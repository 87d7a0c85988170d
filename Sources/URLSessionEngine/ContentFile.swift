// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The file that content is written to.
final class ContentFile {
    private let handle: FileHandle
    private let attempt: String

    init(at url: URL, appending: Bool, attempting attempt: String) throws(HTTPError) {
        self.attempt = attempt
        guard url.isFileURL else {
            throw HTTPError(
                .destinationNotWritable, attempting: attempt, "the destination is not a file URL; use URL(fileURLWithPath:)")
        }
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC)
        let descriptor = open(url.path, flags, 0o644)
        guard descriptor >= 0 else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EIO
            throw HTTPError(
                .destinationNotWritable, attempting: attempt,
                "the file \(url.lastPathComponent) cannot be opened for writing; check that its directory is there and writable",
                underlyingError: POSIXError(code))
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: Data) throws(HTTPError) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw failure(error)
        }
    }

    func close() throws(HTTPError) {
        do {
            try handle.close()
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> HTTPError {
        HTTPError(
            .destinationNotWritable, attempting: attempt, "the content could not be written to its file", underlyingError: error)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Reads a body to its end before it is sent, into memory and, past 1 MiB, into a temporary file.
///
/// On Linux every `URLSession` of a process reads bodies on one shared queue, where waiting for a chunk would stop all transfers, those
/// included that the chunk may depend on.
final class BodySpool: Sendable {
    private struct Storage: @unchecked Sendable {  // touched only under the lock, by the reader's queue
        var data = Data()
        var file: FileHandle?
        var fileURL: URL?

        /// A file that nobody else can read, since bodies hold secrets.
        mutating func moveToFile() throws {
            var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-body-XXXXXX").path.utf8CString)
            let descriptor = mkstemp(&path)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            let name = path.dropLast().map { UInt8(bitPattern: $0) }
            fileURL = URL(fileURLWithPath: String(decoding: name, as: UTF8.self))
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            file = handle
            try handle.write(contentsOf: data)
            data = Data()
        }
    }

    private static let memoryLimit = 1_048_576
    private let storage: Locked<Storage>
    private let attempt: String
    private let reader = Locked<BodyReader?>(nil)

    init(attempting attempt: String) {
        storage = Locked(Storage())
        self.attempt = attempt
    }

    /// - Parameter completion: called once, from any thread, unless ``discard()`` comes first.
    func read(
        _ chunks: any HTTPBodyChunks, length: Int64?, onProgress: @escaping @Sendable () -> Void,
        completion: @escaping @Sendable (Result<PreparedBody, HTTPError>) -> Void
    ) {
        let reader = BodyReader(chunks, length: length, attempting: attempt) { [storage, attempt] chunk throws(HTTPError) in
            let error = storage.withLock { storage in
                Self.append(chunk, to: &storage, attempting: attempt)
            }
            if let error { throw error }
            onProgress()
        } completion: { [storage] result in
            completion(
                result.map {
                    storage.withLock { storage in
                        try? storage.file?.close()
                        storage.file = nil
                        return storage.fileURL.map { .file($0) } ?? .data(storage.data)
                    }
                })
        }
        self.reader.withLock { $0 = reader }
        reader.start()
    }

    /// Stops reading and removes the file. May be called more than once.
    func discard() {
        reader.withLock { reader in
            defer { reader = nil }
            return reader
        }?.cancel()
        let file = storage.withLock { storage in
            try? storage.file?.close()
            storage.file = nil
            storage.data = Data()
            defer { storage.fileURL = nil }
            return storage.fileURL
        }
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    private static func append(_ chunk: Data, to storage: inout Storage, attempting attempt: String) -> HTTPError? {
        do {
            if storage.fileURL == nil {
                guard storage.data.count + chunk.count > memoryLimit else {
                    storage.data.append(chunk)
                    return nil
                }
                try storage.moveToFile()
            }
            try storage.file?.write(contentsOf: chunk)
            return nil
        } catch {
            return HTTPError(
                .bodyUnreadable, attempting: attempt, "the body could not be kept in a temporary file until it is sent",
                underlyingError: error)
        }
    }
}

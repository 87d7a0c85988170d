// SPDX-License-Identifier: MIT

import Foundation

/// Reads an `InputStream` on a queue of its own, since a read may block.
final class StreamChunks: HTTPBodyChunks {
    private struct Box: @unchecked Sendable {  // touched only on the queue
        let stream: InputStream
        var isOpen = false
    }

    private static let chunkLength = 65_536
    private let queue = DispatchQueue(label: "openmoya.body-stream")
    private let box: Locked<Box>

    init(_ stream: InputStream) {
        box = Locked(Box(stream: stream))
    }

    func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        queue.async { [box] in
            let stream = box.withLock { box in
                defer { box.isOpen = true }
                return (box.stream, box.isOpen)
            }
            completion(Self.read(stream.0, isOpen: stream.1))
        }
    }

    func cancel() {
        queue.async { [box] in
            box.withLock { $0.stream }.close()
        }
    }

    /// One read. `streamError` is not asked for: its getter traps on Linux.
    private static func read(_ stream: InputStream, isOpen: Bool) -> Result<Data?, any Error> {
        if !isOpen { stream.open() }
        var bytes = [UInt8](repeating: 0, count: chunkLength)
        let count = stream.read(&bytes, maxLength: chunkLength)
        if count > 0 { return .success(Data(bytes[..<count])) }
        let failed = count < 0 || stream.streamStatus == .error
        stream.close()
        guard !failed else {
            return .failure(
                HTTPError(.bodyUnreadable, attempting: "reading the stream to send", "the stream reports an error or could not be opened"))
        }
        return .success(nil)
    }
}

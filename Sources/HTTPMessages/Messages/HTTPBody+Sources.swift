// SPDX-License-Identifier: MIT

import Foundation

extension HTTPBody {
    /// A body read from `stream`, which the transport opens and closes; it can be sent once.
    /// - Parameter length: in bytes, if it is known. A stream that turns out to be shorter or longer fails the transfer.
    public init(_ stream: InputStream, length: Int64? = nil) {
        let chunks = StreamChunks(stream)
        self.init(length: length, replay: .once) { chunks }
    }

    /// A body of the chunks of an asynchronous sequence; it can be sent once.
    /// - Parameter length: in bytes, if it is known. A sequence that turns out to be shorter or longer fails the transfer.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64? = nil)
    where Chunks.Element == Data {
        self.init(length: length, replay: .once) { SequenceChunks(chunks) }
    }
}

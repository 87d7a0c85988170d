// SPDX-License-Identifier: MIT

#if canImport(Darwin)

import Foundation
import HTTPMessages

/// Feeds a body's chunks through a pair of bound streams while they are made; the pair's buffer sets the pace.
final class BoundStreamBody: Sendable {
    private struct Streams: @unchecked Sendable {  // the output stream is used on the reader's queue, and closed once
        let output: OutputStream
    }

    private let streams: Streams
    private let attempt: String
    private let reader = Locked<BodyReader?>(nil)

    /// The stream to read from is handed out once.
    static func make(attempting attempt: String) -> (body: BoundStreamBody, stream: InputStream)? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 65_536, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        return (BoundStreamBody(output, attempting: attempt), input)
    }

    private init(_ output: OutputStream, attempting attempt: String) {
        streams = Streams(output: output)
        self.attempt = attempt
    }

    /// - Parameter onFailure: called at most once, when the source fails or breaks its word about the length.
    func feed(_ chunks: any HTTPBodyChunks, length: Int64?, onFailure: @escaping @Sendable (HTTPError) -> Void) {
        let reader = BodyReader(chunks, length: length, attempting: attempt) { [streams, attempt] chunk throws(HTTPError) in
            try Self.write(chunk, to: streams.output, attempting: attempt)
        } completion: { [streams] result in
            if case .failure(let error) = result { onFailure(error) }
            streams.output.close()
        }
        self.reader.withLock { $0 = reader }
        streams.output.open()
        reader.start()
    }

    func discard() {
        let reader = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        reader?.cancel()
        if reader != nil { streams.output.close() }
    }

    private static func write(_ chunk: Data, to output: OutputStream, attempting attempt: String) throws(HTTPError) {
        var rest = [UInt8](chunk)
        while !rest.isEmpty {
            let count = output.write(rest, maxLength: rest.count)
            guard count > 0 else {
                throw HTTPError(.connectionLost, attempting: attempt, "the connection took no more of the body")
            }
            rest.removeFirst(count)
        }
    }
}

#endif

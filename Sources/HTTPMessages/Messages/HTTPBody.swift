// SPDX-License-Identifier: MIT

import Foundation

/// A request's body: where its bytes come from, how many they are, and whether they can be read again.
public struct HTTPBody: Sendable {
    /// Whether a body can be sent a second time, for a redirect, a challenge or a retry.
    public enum Replay: Sendable, Hashable {
        /// It is gone once read.
        case once
        /// It can be read from the start as often as needed.
        case always
    }

    /// A piece of a body that is there before it is sent, so that it can be read at any time and again.
    package enum Segment: Sendable {
        case data(Data)
        /// `length` bytes of the file from its start; it is an error when the file turns out to have another length.
        case file(URL, length: Int64)

        package var length: Int64 {
            switch self {
            case .data(let data): Int64(data.count)
            case .file(_, let length): length
            }
        }
    }

    package enum Source: Sendable {
        case segments([Segment])
        /// Called once for each time that the body is sent.
        case chunks(@Sendable () -> any HTTPBodyChunks)
    }

    /// Out of line: a message is copied several times on its way, and most have no body.
    private final class Contents: Sendable {
        let source: Source
        let length: Int64?
        let replay: Replay

        init(_ source: Source, length: Int64?, replay: Replay) {
            self.source = source
            self.length = length
            self.replay = replay
        }
    }

    private let contents: Contents

    package var source: Source { contents.source }
    /// In bytes; `nil` when only reading to the end tells, which an HTTP/1.1 transport sends with chunked transfer coding.
    public var length: Int64? { contents.length }
    /// Whether it can be sent again.
    public var replay: Replay { contents.replay }

    package init(source: Source, length: Int64?, replay: Replay) {
        contents = Contents(source, length: length, replay: replay)
    }

    package init(segments: [Segment]) {
        self.init(source: .segments(segments), length: segments.reduce(0) { $0 + $1.length }, replay: .always)
    }

    /// A body from memory, sent without another copy.
    public init(_ data: Data) { self.init(segments: [.data(data)]) }

    /// A body that a producer makes chunk by chunk.
    /// - Parameter makeChunks: called once for each time that the body is sent; more than once only with `replay` `.always`.
    public init(length: Int64?, replay: Replay, chunks makeChunks: @escaping @Sendable () -> any HTTPBodyChunks) {
        self.init(source: .chunks(makeChunks), length: length, replay: replay)
    }

    /// A body that is read from a file while it is sent.
    /// - Throws: ``HTTPError`` of kind ``HTTPError/Kind/bodyUnreadable`` if the file is missing, unreadable, a directory, a pipe or a device.
    public init(contentsOf file: URL) throws(HTTPError) {
        self.init(segments: [try Segment.contents(of: file)])
    }
}

extension HTTPBody.Segment {
    /// The whole of `file`, with the length it has at this moment.
    package static func contents(of file: URL) throws(HTTPError) -> HTTPBody.Segment {
        let attempt = "reading the file to send, \(file.lastPathComponent),"
        guard file.isFileURL else {
            throw HTTPError(.bodyUnreadable, attempting: attempt, "its URL is not a file URL; use URL(fileURLWithPath:)")
        }
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
        } catch {
            throw HTTPError(.bodyUnreadable, attempting: attempt, "there is no such file, or it may not be read", underlyingError: error)
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular?: break
        case .typeDirectory?:
            throw HTTPError(.bodyUnreadable, attempting: attempt, "it is a directory", underlyingError: POSIXError(.EISDIR))
        default:
            // A pipe or a device has no length that could be sent before its bytes.
            throw HTTPError(.bodyUnreadable, attempting: attempt, "it is no regular file; read it, and send its bytes or a stream of them")
        }
        guard FileManager.default.isReadableFile(atPath: file.path), let size = attributes[.size] as? NSNumber else {
            throw HTTPError(
                .bodyUnreadable, attempting: attempt, "it may not be read; check its permissions",
                underlyingError: CocoaError(.fileReadNoPermission))
        }
        return .file(file, length: size.int64Value)
    }
}

/// The bytes of a body that is made while it is sent.
public protocol HTTPBodyChunks: AnyObject, Sendable {
    /// Asks for the next chunk; `completion` is called once, from any thread: with bytes (not empty), with `nil` at the end, or an error.
    ///
    /// There is at most one request for a chunk at a time. It is called on the transport's thread and must not block.
    func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void)
    /// No more chunks are wanted. Called at most once, also while a chunk is being made, and not after the end.
    func cancel()
}

// SPDX-License-Identifier: MIT

import Foundation

/// What a ``TestServer`` answers, down to the byte, and what it does to the connection meanwhile.
///
/// Start from a ready-made one (``ok``, ``status(_:fields:_:)``, ``json(_:status:)``, ``chunked(_:trailers:fields:)``, `raw(_:then:)`)
/// and change it: `.ok("hello").stalled(by: gate, at: .responseBody(2))`.
public struct ScriptedResponse: Sendable {
    /// The content, and how it is delimited.
    public enum Content: Sendable {
        /// Bytes, with Content-Length unless ``ScriptedResponse/fields`` already has one or Transfer-Encoding.
        case bytes(Data)
        /// `count` bytes made by repeating a pattern, with Content-Length; takes no memory, whatever the size.
        case repeating(Data, count: Int)
        /// Chunks (RFC 9112, 7.1), with Transfer-Encoding unless ``ScriptedResponse/fields`` already has one; the last chunk and the
        /// trailer section are left out if `isTerminated` is false.
        case chunks([Chunk], trailers: FieldList = [:], isTerminated: Bool = true)
        /// Bytes without a length: the end of the connection is their end.
        case untilClose(Data)
    }

    /// One chunk.
    public struct Chunk: Sendable, ExpressibleByStringLiteral {
        /// The chunk's bytes.
        public var data: Data
        /// What stands on the line before them instead of their true size: a wrong size, one with an extension, no number at all.
        public var sizeLine: String?

        /// A chunk that says its true size unless `sizeLine` says something else.
        public init(_ data: Data, sizeLine: String? = nil) {
            self.data = data
            self.sizeLine = sizeLine
        }

        /// A chunk of the text's UTF-8 that says its true size.
        public init(stringLiteral value: String) { self.init(Data(value.utf8)) }
    }

    /// A 1xx head that comes before the final one.
    public struct InterimHead: Sendable {
        /// 100 to 199.
        public var status: Int
        /// Its fields.
        public var fields: FieldList

        /// An interim head, such as 103 with `Link` fields (RFC 8297).
        public init(_ status: Int, fields: FieldList = [:]) {
            self.status = status
            self.fields = fields
        }
    }

    /// What becomes of the connection after the last byte.
    public enum Ending: Sendable {
        /// It waits for the next request.
        case keepAlive
        /// It is closed with a FIN.
        case close
        /// It is closed with a RST.
        case reset
    }

    /// How fast the response is written.
    public enum Pacing: Sendable {
        /// As fast as the client reads.
        case unlimited
        /// In pieces of so many bytes, one each time the gate lets one through; framing counts.
        case released(by: TestGate, pieceSize: Int)
        /// So many bytes at a time with a pause after each, which passes on the given clock.
        case throttled(pieceSize: Int, pause: Duration, clock: any Clock<Duration>)
    }

    /// The final status code; any number.
    public var status: Int
    /// The reason phrase; nil: the usual one for the status.
    public var reason: String?
    /// The fields, written as they are, before those that the server adds: Content-Length or Transfer-Encoding as ``content`` says, and
    /// `Connection: close` where the connection will be closed.
    public var fields: FieldList
    /// The content.
    public var content: Content
    /// Heads that come first.
    public var interimHeads: [InterimHead] = []
    /// What Content-Length says instead of the truth. With too large a number the connection is closed after the content, unless
    /// ``ending`` says otherwise; with too small a number it stays open.
    public var declaredLength: Int?
    /// Whether content is written even where HTTP forbids it: to HEAD, and with 204 and 304 (RFC 9112, 6.3).
    public var sendsForbiddenContent = false
    /// What happens on the way, in the order of the phases.
    public var effects: [ScriptedEffect] = []
    /// How fast it goes; as fast as the client reads, unless told otherwise.
    public var pacing: Pacing = .unlimited
    /// Whether ``pacing`` holds for the heads, too; if not, they are written at once.
    public var pacesHead = true
    /// What becomes of the connection; nil: it stays, unless the client or the fields ask for `close` or the framing needs it.
    public var ending: Ending?
    /// Whether the response is sent when the request's head has arrived, before its body is read. The body is read afterwards, and dropped.
    public var isEarly = false
    /// Bytes that are written in place of interim heads, head and content.
    public var verbatim: Data?

    /// A response with the given parts and no misbehaviour.
    public init(_ status: Int, reason: String? = nil, fields: FieldList = [:], content: Content = .bytes(Data())) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.content = content
    }
}

/// A point in an exchange at which a ``ScriptedResponse`` can make something happen. Offsets count bytes; one beyond the end means the end.
public enum ExchangePhase: Sendable, Hashable {
    /// The request's head is read, nothing of its body.
    case requestHead
    /// So many bytes of the request's content are read (the server's buffer may hold up to 64 KiB more).
    case requestBody(Int)
    /// The request is read to its end (an early response: its head), nothing is written.
    case responseStart
    /// So many bytes of the heads are written, interim heads included.
    case responseHead(Int)
    /// The head is written, nothing of the content.
    case responseHeadEnd
    /// So many bytes of the message body are written; a chunked body's framing counts.
    case responseBody(Int)
    /// Everything is written.
    case responseEnd
}

/// Something that happens in the middle of an exchange.
public struct ScriptedEffect: Sendable {
    /// What can happen.
    public enum Kind: Sendable {
        /// The connection is closed with a FIN.
        case close
        /// The connection is closed with a RST.
        case reset
        /// Nothing moves until the gate lets the exchange through, or the client goes away.
        case stall(TestGate)
        /// Nothing moves until so much time has passed on the clock, or the client goes away.
        case pause(Duration, any Clock<Duration>)
    }

    /// When it happens.
    public var phase: ExchangePhase
    /// What happens.
    public var kind: Kind

    /// An effect at a phase.
    public init(_ kind: Kind, at phase: ExchangePhase) {
        self.kind = kind
        self.phase = phase
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What a ``ScriptedTransport`` answers to one request, in messages: framing, connections and bytes on the wire are ``TestServer``'s
/// matter.
public struct ScriptedAnswer: Sendable {
    /// Heads that come first.
    public var interimHeads: [HTTPResponseHead] = []
    /// The final head; nil: the transfer fails without one.
    public var head: HTTPResponseHead?
    /// The content as a receiver gets it, piece by piece; empty pieces are left out.
    public var pieces: [Data]
    /// The trailer fields.
    public var trailers = HTTPFields()
    /// What was measured.
    public var metrics: TransferMetrics?
    /// What the transfer ends in, after the head and the pieces that there are.
    public var error: HTTPError?
    /// Where it waits before its first head.
    public var headGate: TestGate?
    /// Where it waits before each piece and before its end.
    public var pieceGate: TestGate?

    /// An answer of the given parts.
    public init(head: HTTPResponseHead?, pieces: [Data] = [], error: HTTPError? = nil) {
        self.head = head
        self.pieces = pieces
        self.error = error
    }

    /// 200 without content.
    public static let ok = ScriptedAnswer.status(200)

    /// 200 with a text.
    public static func ok(_ text: String, fields: HTTPFields = [:]) -> ScriptedAnswer {
        .status(200, fields: fields, text)
    }

    /// Any status, with a text as its content.
    public static func status(_ status: Int, fields: HTTPFields = [:], _ text: String = "") -> ScriptedAnswer {
        ScriptedAnswer(head: HTTPResponseHead(status: status, fields: fields), pieces: [Data(text.utf8)])
    }

    /// JSON, given as text.
    public static func json(_ text: String, status: Int = 200) -> ScriptedAnswer {
        .status(status, fields: ["Content-Type": "application/json"], text)
    }

    /// No response: the transfer fails.
    public static func failure(_ error: HTTPError) -> ScriptedAnswer {
        ScriptedAnswer(head: nil, error: error)
    }

    /// No response: the transfer fails with an error of a kind.
    public static func failure(_ kind: HTTPError.Kind) -> ScriptedAnswer {
        .failure(HTTPError(kind, attempting: "a scripted transfer", "the script says so"))
    }

    /// Held back before its head until the gate lets it through.
    public func held(by gate: TestGate) -> ScriptedAnswer {
        var copy = self
        copy.headGate = gate
        return copy
    }

    /// Held back before each piece of its content, and before its end, until the gate lets one through.
    public func trickled(by gate: TestGate) -> ScriptedAnswer {
        var copy = self
        copy.pieceGate = gate
        return copy
    }

    /// Ending in an error after all that comes.
    public func failing(with error: HTTPError) -> ScriptedAnswer {
        var copy = self
        copy.error = error
        return copy
    }
}

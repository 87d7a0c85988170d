// SPDX-License-Identifier: MIT

import Foundation

extension ScriptedResponse {
    /// 200 without content.
    public static let ok = ScriptedResponse(200)
    /// 204.
    public static let noContent = ScriptedResponse(204)
    /// 404 without content.
    public static let notFound = ScriptedResponse(404)
    /// 503 without content.
    public static let serviceUnavailable = ScriptedResponse(503)

    /// 200 with a text as `text/plain`.
    public static func ok(_ text: String, fields: FieldList = [:]) -> ScriptedResponse {
        .status(200, fields: fields, text)
    }

    /// 200 with bytes as `application/octet-stream`.
    public static func ok(_ data: Data, fields: FieldList = [:]) -> ScriptedResponse {
        var response = ScriptedResponse(200, fields: fields, content: .bytes(data))
        response.setDefault("Content-Type", "application/octet-stream")
        return response
    }

    /// Any status, with a text as `text/plain` unless the text is empty.
    public static func status(_ status: Int, fields: FieldList = [:], _ text: String = "") -> ScriptedResponse {
        var response = ScriptedResponse(status, fields: fields, content: .bytes(Data(text.utf8)))
        if !text.isEmpty { response.setDefault("Content-Type", "text/plain; charset=utf-8") }
        return response
    }

    /// JSON that is given as text and sent as it is.
    public static func json(_ text: String, status: Int = 200) -> ScriptedResponse {
        ScriptedResponse(status, fields: ["Content-Type": "application/json"], content: .bytes(Data(text.utf8)))
    }

    /// A redirect to `location`, which is sent as it is.
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        ScriptedResponse(status, fields: ["Location": location])
    }

    /// 503 with `Retry-After` in whole seconds (RFC 9110, 10.2.3).
    public static func serviceUnavailable(retryAfter: Duration) -> ScriptedResponse {
        ScriptedResponse(503, fields: ["Retry-After": String(retryAfter.components.seconds)])
    }

    /// 200 with a chunked body.
    public static func chunked(_ chunks: [Chunk], trailers: FieldList = [:], fields: FieldList = [:]) -> ScriptedResponse {
        ScriptedResponse(200, fields: fields, content: .chunks(chunks, trailers: trailers))
    }

    /// 200 with `count` bytes that repeat `pattern`; takes no memory.
    public static func repeating(_ pattern: Data, count: Int) -> ScriptedResponse {
        ScriptedResponse(
            200, fields: ["Content-Type": "application/octet-stream"], content: .repeating(pattern, count: count))
    }

    /// These bytes and nothing else.
    public static func raw(_ bytes: Data, then ending: Ending = .close) -> ScriptedResponse {
        var response = ScriptedResponse(200)
        response.verbatim = bytes
        response.ending = ending
        return response
    }

    /// This text's UTF-8 and nothing else; lines need their `\r\n`.
    public static func raw(_ text: String, then ending: Ending = .close) -> ScriptedResponse {
        .raw(Data(text.utf8), then: ending)
    }

    /// No response: the request is read, then the connection closed.
    public static let close = ScriptedResponse.ok.with(.close, at: .responseStart)
    /// No response: the request is read, then the connection reset.
    public static let reset = ScriptedResponse.ok.with(.reset, at: .responseStart)

    /// With an effect.
    public func with(_ effect: ScriptedEffect.Kind, at phase: ExchangePhase) -> ScriptedResponse {
        changed { $0.effects.append(ScriptedEffect(effect, at: phase)) }
    }

    /// Cut off by a FIN at a phase.
    public func closed(at phase: ExchangePhase) -> ScriptedResponse { with(.close, at: phase) }

    /// Cut off by a RST at a phase.
    public func reset(at phase: ExchangePhase) -> ScriptedResponse { with(.reset, at: phase) }

    /// Held back at a phase until the gate lets it through, before its first byte unless told otherwise.
    public func stalled(by gate: TestGate, at phase: ExchangePhase = .responseStart) -> ScriptedResponse {
        with(.stall(gate), at: phase)
    }

    /// Written `pieceSize` bytes each time the gate lets a piece through.
    public func trickled(by gate: TestGate, pieceSize: Int = 1) -> ScriptedResponse {
        changed { $0.pacing = .released(by: gate, pieceSize: pieceSize) }
    }

    /// Written `pieceSize` bytes at a time, with a pause on `clock` after each piece.
    public func throttled(pieceSize: Int, pause: Duration, clock: any Clock<Duration>) -> ScriptedResponse {
        changed { $0.pacing = .throttled(pieceSize: pieceSize, pause: pause, clock: clock) }
    }

    /// With a Content-Length that says `length`, whatever the content is.
    public func declaringLength(_ length: Int) -> ScriptedResponse { changed { $0.declaredLength = length } }

    /// With `Connection: close`, and so closed afterwards.
    public func closing() -> ScriptedResponse { changed { $0.ending = .close } }

    /// With one more field.
    public func field(_ name: String, _ value: String) -> ScriptedResponse { changed { $0.fields.append(name, value) } }

    /// After one more interim head.
    public func interim(_ status: Int, fields: FieldList = [:]) -> ScriptedResponse {
        changed { $0.interimHeads.append(InterimHead(status, fields: fields)) }
    }

    /// Sent before the request's body is read.
    public func early() -> ScriptedResponse { changed { $0.isEarly = true } }

    /// Sending its content even to HEAD and with 204 and 304.
    public func sendingForbiddenContent() -> ScriptedResponse { changed { $0.sendsForbiddenContent = true } }

    private func changed(_ change: (inout ScriptedResponse) -> Void) -> ScriptedResponse {
        var copy = self
        change(&copy)
        return copy
    }

    private mutating func setDefault(_ name: String, _ value: String) {
        if !fields.contains(name) { fields.append(name, value) }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What an authorization server has answered.
struct OAuth2Answer: Sendable {
    let head: HTTPResponseHead
    let content: Data
    let attempt: String
    let secrets: [String]

    /// A refusal (RFC 6749, 5.2).
    private struct Refusal: Decodable {
        let error: String
        let error_description: String?
        let error_uri: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            error = try container.decode(String.self, forKey: .error)
            // What goes along with the code is a help, and no reason to miss it.
            error_description = try? container.decode(String.self, forKey: .error_description)
            error_uri = try? container.decode(String.self, forKey: .error_uri)
        }

        enum Key: CodingKey {
            case error, error_description, error_uri
        }
    }

    func error(_ kind: OAuth2ClientError.Kind, _ reason: String) -> OAuth2ClientError {
        OAuth2ClientError(kind, attempting: attempt, reason, status: head.status)
    }

    /// Throws unless the server has said yes.
    func check() throws(OAuth2ClientError) {
        // With any status: some servers refuse with 200.
        if let refusal = try? JSONDecoder().decode(Refusal.self, from: content) {
            throw OAuth2ClientError.refusal(
                code: refusal.error, description: refusal.error_description, uri: refusal.error_uri, status: head.status,
                attempting: attempt, hiding: secrets)
        }
        guard 200..<300 ~= head.status else { throw error(.unexpectedStatus, "the answer has status \(head.status); \(statusAdvice)") }
    }

    private var statusAdvice: String {
        switch head.status {
        case 401, 403: "the client is not let in; check how it authenticates"
        case 404, 405, 410: "check the endpoint's URL"
        case 429: "requests come too often; wait before the next one"
        case 500...: "the server failed; try later"
        default: "check the endpoint's URL and the client"
        }
    }

    /// The content's JSON object.
    func decode<Value: Decodable>(_ type: Value.Type, _ what: String) throws(OAuth2ClientError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: content)
        } catch DecodingError.keyNotFound(let key, _) {
            throw error(.malformedResponse, "the answer has no \(key.stringValue), which \(what) must have; check the endpoint's URL")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            guard let key = context.codingPath.last else { throw error(.malformedResponse, "the answer is JSON, but not an object") }
            throw error(.malformedResponse, "\(key.stringValue) in the answer is not what \(what) must have there")
        } catch {
            throw self.error(.malformedResponse, "the answer is \(form), not the JSON of \(what); check the endpoint's URL")
        }
    }

    private var form: String {
        if content.isEmpty { return "empty" }
        let type = head.value(for: "Content-Type")?.lowercased() ?? ""
        let begin = content.prefix(256).drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return type.contains("html") || begin.first == UInt8(ascii: "<") ? "HTML" : "no JSON"
    }
}

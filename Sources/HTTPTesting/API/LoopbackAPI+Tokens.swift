// SPDX-License-Identifier: MIT

extension LoopbackAPI {
    /// The token endpoint (RFC 6749, 3.2): the errors of 5.2 for a grant that is unknown, incomplete or used up.
    func token(_ request: RecordedRequest) -> ScriptedResponse {
        let form = FormFields.parse(request.bodyText)
        let error: String?
        switch form["grant_type"] {
        case "client_credentials": error = nil
        case "password": error = form["username"] == nil || form["password"] == nil ? "invalid_request" : nil
        case "refresh_token":
            guard let token = form["refresh_token"] else {
                error = "invalid_request"
                break
            }
            error = state.withLock { $0.tokens.redeem(refresh: token) } ? nil : "invalid_grant"
        case nil: error = "invalid_request"
        default: error = "unsupported_grant_type"
        }
        var response: ScriptedResponse
        if let error {
            response = .json(["error": .string(error)], status: 400)
        } else {
            let now = now
            let (access, refresh) = state.withLock { $0.tokens.issue(now: now, lifetime: tokenLifetime) }
            response = .json([
                "access_token": .string(access), "token_type": "Bearer", "expires_in": .int(Int(tokenLifetime.components.seconds)),
                "refresh_token": .string(refresh),
            ])
        }
        response.fields.append("Cache-Control", "no-store")
        return response
    }

    /// A protected resource (RFC 6750): a challenge without an error where no token came, with one where it is not good (3.1).
    func bearer(_ request: RecordedRequest, acceptsForeign: Bool) -> ScriptedResponse {
        guard let token = Self.credentials(of: request, scheme: "bearer"), !token.isEmpty else {
            return Self.challenge("Bearer realm=\"loopback\"")
        }
        let now = now
        switch state.withLock({ $0.tokens.verdict(on: token, now: now) }) {
        case .good: break
        case .foreign where acceptsForeign: break
        case .foreign:
            return Self.challenge(
                "Bearer realm=\"loopback\", error=\"invalid_token\", error_description=\"The access token is unknown\"")
        case .expired:
            return Self.challenge("Bearer realm=\"loopback\", error=\"invalid_token\", error_description=\"The access token expired\"")
        }
        return .json(["authenticated": true, "token": .string(token)])
    }

    /// What follows the scheme in Authorization; nil if the field is missing or names another scheme.
    static func credentials(of request: RecordedRequest, scheme: String) -> String? {
        guard let value = request.fields["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let name = parts.first, name.lowercased() == scheme else { return nil }
        return parts.count > 1 ? String(parts[1]) : ""
    }

    static func challenge(_ challenge: String) -> ScriptedResponse {
        var response = ScriptedResponse.json(["authenticated": false], status: 401)
        response.fields.append("WWW-Authenticate", challenge)
        return response
    }
}

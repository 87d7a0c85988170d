// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension OAuth2Answer {
    /// A token (RFC 6749, 5.1).
    private struct Token: Decodable {
        let access_token: String
        let token_type: String
        let expires_in: Seconds?
        let scope: String?
        let refresh_token: String?
    }

    /// A number, as the RFC has it, or its digits in a text, as some servers have it.
    struct Seconds: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
            } else if let text = try? container.decode(String.self), let number = Double(text), number.isFinite {
                value = number
            } else {
                throw DecodingError.typeMismatch(
                    Double.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not a number"))
            }
        }
    }

    /// More than a hundred years is for ever.
    private static let longestLifetime = 3.2e9

    /// The token in the answer.
    /// - Parameter begin: when it was asked for; from then on its lifetime is counted, so that it is not taken for good too long.
    func token(requestedScopes: Set<String>, requestedAt begin: Date) throws(OAuth2ClientError) -> OAuth2TokenResponse {
        try check()
        let token = try decode(Token.self, "a token")
        guard token.token_type.lowercased() == "bearer" else {
            throw error(
                .tokenTypeNotSupported,
                "the token is of another type than Bearer, and must not be used by who does not know it (RFC 6749, 7.1); have the server give bearer tokens"
            )
        }
        guard !token.access_token.isEmpty, token.access_token.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }) else {
            throw error(
                .malformedResponse, "the token in the answer cannot be sent in a field: it is empty or has characters that are no token's")
        }
        if let lifetime = token.expires_in?.value, lifetime <= 0 {
            throw error(
                .expiredOnArrival,
                "the token has ended already, as its expires_in says; have the server give tokens that last longer than 0 s")
        }
        let lifetime = token.expires_in.flatMap { $0.value < Self.longestLifetime ? $0.value : nil }
        return OAuth2TokenResponse(
            accessToken: token.access_token, tokenType: token.token_type, expiryDate: lifetime.map(begin.addingTimeInterval),
            scopes: token.scope.map { Set($0.split(separator: " ").map(String.init)) } ?? requestedScopes,
            refreshToken: token.refresh_token.flatMap { $0.isEmpty ? nil : $0 }, issueDate: lifetime.map { _ in begin })
    }
}

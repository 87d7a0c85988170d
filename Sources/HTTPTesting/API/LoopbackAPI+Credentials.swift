// SPDX-License-Identifier: MIT

import Foundation
internal import HTTPAuthentication

extension LoopbackAPI {
    /// Basic (RFC 7617), in UTF-8.
    func basic(user: String, password: String, _ request: RecordedRequest) -> ScriptedResponse {
        let expected = Data("\(user):\(password)".utf8)
        guard let credentials = Self.credentials(of: request, scheme: "basic"), Data(base64Encoded: credentials) == expected else {
            return Self.challenge("Basic realm=\"loopback\", charset=\"UTF-8\"")
        }
        return .json(["authenticated": true, "user": .string(user)])
    }

    /// Digest (RFC 7616): credentials are right if their response, their request target and their count are.
    func digest(qop: String, user: String, password: String, algorithm: String, _ request: RecordedRequest) -> ScriptedResponse {
        let functions: [String: HashFunction] = ["MD5": .md5, "SHA-256": .sha256, "SHA-512-256": .sha512_256]
        guard let function = functions[algorithm], function.isAvailable else { return Self.badRequest("the algorithm is not available") }
        guard ["auth", "auth-int", "auth,auth-int", "none"].contains(qop) else {
            return Self.badRequest("this is no quality of protection")
        }

        guard let text = Self.credentials(of: request, scheme: "digest") else { return digestChallenge(qop, algorithm, isStale: false) }
        let check = DigestCheck(Parameters.parse(text), offered: qop, algorithm: algorithm, function: function)
        guard check.isRight(user: user, password: password, request: request), let nonce = check.fields["nonce"] else {
            return digestChallenge(qop, algorithm, isStale: false)
        }
        let limit = request.queryItems["stale_after"].flatMap { Int($0) } ?? .max
        let count = check.nonceCount
        // A nonce that the API did not issue, a count that it has seen, a nonce that has served its time: another one is due.
        let isFresh = state.withLock { state -> Bool in
            guard var use = state.nonces[nonce], use.useCount < limit, count.map({ use.counts.insert($0).inserted }) ?? true else {
                return false
            }
            use.useCount += 1
            state.nonces[nonce] = use
            return true
        }
        guard isFresh else { return digestChallenge(qop, algorithm, isStale: true) }
        return .json(["authenticated": true, "user": .string(user)])
    }

    private func digestChallenge(_ qop: String, _ algorithm: String, isStale: Bool) -> ScriptedResponse {
        let nonce = state.withLock { state -> String in
            state.issuedNonceCount += 1
            let nonce = "nonce-\(state.issuedNonceCount)"
            state.nonces[nonce] = NonceUse()
            return nonce
        }
        var challenge = "Digest realm=\"loopback\", nonce=\"\(nonce)\", opaque=\"opaque\", algorithm=\(algorithm), charset=UTF-8"
        if qop != "none" { challenge += ", qop=\"\(qop)\"" }
        if isStale { challenge += ", stale=true" }
        return Self.challenge(challenge)
    }
}

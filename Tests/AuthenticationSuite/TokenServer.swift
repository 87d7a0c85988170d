// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting

/// An authorization server that rotates refresh tokens, and the resource that its access tokens open.
///
/// `POST /token` redeems a refresh token, once each; any other path wants an access token that is still good. Tokens are numbered: `access-0` and
/// `refresh-0` are there from the start.
package final class TokenServer: Sendable {
    /// How long an access token is good.
    package enum Lifetime: Sendable {
        case unlimited
        /// By the server's clock, from its making.
        case time(Duration)
        /// For so many requests.
        case uses(Int)
    }

    private struct State {
        var issued = 0
        var madeAt: ContinuousClock.Instant
        var uses = 0
        var redeemed: Set<String> = []
        var log = Log()
    }

    /// What the token endpoint and the resource have seen.
    package struct Log: Sendable {
        /// Every refresh token that was sent, in the order of arrival.
        package var refreshTokens: [String] = []
        /// By which client (the field `X-Client`), one for each of ``refreshTokens``.
        package var clients: [String] = []
        package var accepted = 0
        package var refused = 0
    }

    package let server: TestServer
    private let state: Locked<State>

    /// - Parameters:
    ///   - isExpired: whether `access-0` is refused from the start.
    ///   - status: what the token endpoint answers with; other than 200 it redeems nothing.
    ///   - gate: what each request to the token endpoint waits at; what is refused at the resource does not.
    ///   - arrival: what each request to the resource waits at.
    package init(
        lifetime: Lifetime = .unlimited, isExpired: Bool = false, status: Int = 200, gate: TestGate? = nil, arrival: TestGate? = nil
    ) throws {
        let state = Locked(State(madeAt: .now))
        self.state = state
        server = try TestServer(.init { $0.recordsRequests = false }) { request in
            var response: ScriptedResponse
            if request.path == "/token" {
                response = Self.redeem(request, status, state)
                if let gate { response = response.stalled(by: gate) }
            } else {
                response = Self.resource(request, lifetime, isExpired, state)
                if let arrival { response = response.stalled(by: arrival) }
            }
            return response
        }
    }

    package var log: Log { state.withLock { $0.log } }

    /// Refresh tokens that were sent more than once.
    package var reused: [String] {
        Dictionary(grouping: log.refreshTokens) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }

    private static func redeem(_ request: RecordedRequest, _ status: Int, _ state: Locked<State>) -> ScriptedResponse {
        let form = Dictionary(
            request.bodyText.split(separator: "&").map { pair -> (String, String) in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }, uniquingKeysWith: { first, _ in first })
        let token = form["refresh_token"] ?? ""
        return state.withLock { state in
            state.log.refreshTokens.append(token)
            state.log.clients.append(request.fields["X-Client"] ?? "")
            guard status == 200 else { return .status(status, fields: ["Content-Type": "text/html"], "<html>not today</html>") }
            guard token == "refresh-\(state.issued)", state.redeemed.insert(token).inserted else {
                return .status(400, fields: ["Content-Type": "application/json"], #"{"error":"invalid_grant"}"#)
            }
            state.issued += 1
            state.uses = 0
            state.madeAt = .now
            let tokens =
                #"{"access_token":"access-\#(state.issued)","token_type":"Bearer","refresh_token":"refresh-\#(state.issued)"}"#
            return .status(200, fields: ["Content-Type": "application/json"], tokens)
        }
    }

    private static func resource(
        _ request: RecordedRequest, _ lifetime: Lifetime, _ isExpired: Bool, _ state: Locked<State>
    ) -> ScriptedResponse {
        let isGood = state.withLock { state in
            var isGood = request.fields["Authorization"] == "Bearer access-\(state.issued)" && !(isExpired && state.issued == 0)
            switch lifetime {
            case .unlimited: break
            case .time(let limit): isGood = isGood && state.madeAt.duration(to: .now) < limit
            case .uses(let limit): isGood = isGood && state.uses < limit
            }
            if isGood {
                state.uses += 1
                state.log.accepted += 1
            } else {
                state.log.refused += 1
            }
            return isGood
        }
        return isGood ? .ok("content") : .status(401, fields: ["WWW-Authenticate": #"Bearer realm="api", error="invalid_token""#])
    }
}

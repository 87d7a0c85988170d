// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// A small, realistic JSON API for tests and demonstrations; ``LoopbackRoute`` says what there is.
///
/// ```swift
/// let api = LoopbackAPI()
/// let server = try TestServer(handler: api.respond)
/// ```
public final class LoopbackAPI: Sendable {
    struct State: Sendable {
        var gates: [String: TestGate] = [:]
        var failures: [String: Int] = [:]
        var nonces: [String: NonceUse] = [:]
        var issuedNonceCount = 0
        var tokens = IssuedTokens()
    }

    struct NonceUse: Sendable {
        var counts: Set<UInt32> = []
        var useCount = 0
    }

    let state = Locked(State())
    let clock: any Clock<Duration>
    let tokenLifetime: Duration
    private let elapsed: @Sendable () -> Duration

    /// An API without any tokens, nonces or counts yet.
    /// - Parameters:
    ///   - clock: the clock that delays, drips and tokens' lifetimes go by; the system's continuous one unless told otherwise.
    ///   - tokenLifetime: how long an access token lasts: an hour, unless told otherwise.
    public init(clock: any Clock<Duration> = ContinuousClock(), tokenLifetime: Duration = .seconds(3600)) {
        self.clock = clock
        self.tokenLifetime = tokenLifetime
        elapsed = Self.stopwatch(on: clock)
    }

    /// The gate that requests to ``LoopbackRoute/delay`` and ``LoopbackRoute/drip`` with that name wait at; made at its first mention.
    public func gate(_ name: String) -> TestGate {
        state.withLock { state in
            if let gate = state.gates[name] { return gate }
            let gate = TestGate()
            state.gates[name] = gate
            return gate
        }
    }

    /// Ends the life of every access token issued so far, as time would; refresh tokens stay good.
    public func expireTokens() {
        state.withLock { $0.tokens.expireAll() }
    }

    /// The time since the API was made, on its clock.
    var now: Duration { elapsed() }

    private static func stopwatch<C: Clock<Duration>>(on clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Answers a request; 404 as JSON for a path that is none of ``LoopbackRoute``'s.
    @Sendable public func respond(to request: RecordedRequest) -> ScriptedResponse {
        guard let (route, values) = LoopbackRoute.matching(request.path) else {
            return .json(["error": "not found", "path": .string(request.path)], status: 404)
        }
        if let method = Self.onlyMethod(of: route), request.method != method, !(method == "GET" && request.method == "HEAD") {
            var response = ScriptedResponse.json(["error": "method not allowed"], status: 405)
            response.fields.append("Allow", method == "GET" ? "GET, HEAD" : method)
            return response
        }
        return response(route, values, to: request)
    }

    private static func onlyMethod(of route: LoopbackRoute) -> String? {
        switch route {
        case .get, .headers, .stream, .gzip, .deflate, .etag, .cache, .cookies, .setCookies, .deleteCookies, .zen, .user, .repositories,
            .bytes, .range, .drip:
            "GET"
        case .post, .multipart, .token: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .anything, .upload, .status, .redirect, .redirectTo, .responseHeaders, .unstable, .delay, .basicAuth, .digestAuth,
            .digestAuthWithAlgorithm, .bearer, .protected:
            nil
        }
    }

    private func response(_ route: LoopbackRoute, _ values: [String], to request: RecordedRequest) -> ScriptedResponse {
        switch route {
        case .get: .json(echo(request, withContent: false))
        case .post, .put, .patch, .delete: .json(echo(request, withContent: true))
        case .anything: .json(echo(request, withContent: true, withMethod: true))
        case .headers: .json(["headers": JSONValue(request.fields)])
        case .upload: .json(["bytes": .int(request.bodyByteCount), "type": .string(request.fields["Content-Type"] ?? "")])
        case .multipart: parts(of: request)
        case .status: status(values[0])
        case .redirect: redirect(values[0])
        case .redirectTo: redirectTo(request)
        case .responseHeaders: responseHeaders(request)
        case .unstable: unstable(key: values[0], failures: values[1])
        case .delay: delay(values[0], request)
        case .basicAuth: basic(user: values[0], password: values[1], request)
        case .digestAuth: digest(qop: values[0], user: values[1], password: values[2], algorithm: "MD5", request)
        case .digestAuthWithAlgorithm: digest(qop: values[0], user: values[1], password: values[2], algorithm: values[3], request)
        case .bearer: bearer(request, acceptsForeign: true)
        case .protected: bearer(request, acceptsForeign: false)
        case .token: token(request)
        case .bytes: bytes(values[0], request)
        case .range: range(values[0], request)
        case .drip: drip(request)
        case .stream: stream(values[0], request)
        case .gzip: compressed(request, coding: "gzip")
        case .deflate: compressed(request, coding: "deflate")
        case .etag: tagged(values[0], request)
        case .cache: cached(values[0], request)
        case .cookies: .json(["cookies": JSONValue(Self.cookies(of: request))])
        case .setCookies: changeCookies(request) { "\($0.name)=\($0.value); Path=/" }
        case .deleteCookies: changeCookies(request) { "\($0.name)=; Path=/; Max-Age=0" }
        case .zen: .ok("Say what you mean, then stop.")
        case .user: user(values[0])
        case .repositories: repositories(of: values[0])
        }
    }

    /// 400 that says what is wrong.
    static func badRequest(_ sentence: String) -> ScriptedResponse { .json(["error": .string(sentence)], status: 400) }
}

extension TestServer {
    /// A server that answers with a ``LoopbackAPI`` of its own.
    ///
    /// It keeps up to 16 MiB of each request's content; ``LoopbackRoute/upload`` counts more than that.
    public static func api(
        _ api: LoopbackAPI = LoopbackAPI(), _ configuration: Configuration = Configuration { $0.bodyPolicy = .keep(limit: 16 << 20) }
    ) throws(TestServerError) -> TestServer {
        try TestServer(configuration, handler: api.respond)
    }
}

// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Refreshing, counted on the log of a server whose tokens are rotated.
@Suite(.timeLimit(.minutes(1)))
struct RefreshTests {
    private typealias Interceptor = AuthenticationInterceptor<RotatingAuthenticator>

    private func session(
        _ tokens: TokenServer, _ token: RotatingToken? = RotatingToken(), window: Interceptor.RefreshWindow? = .init()
    ) -> (Session, RotatingAuthenticator, Interceptor) {
        let authenticator = RotatingAuthenticator(server: tokens.server.baseURL)
        let interceptor = Interceptor(authenticator: authenticator, credential: token, refreshWindow: window)
        let session = Session.alone(interceptor: interceptor) { $0.httpMaximumConnectionsPerHost = 64 }
        return (session, authenticator, interceptor)
    }

    /// Sends so many requests, `width` at a time, and returns their results.
    private func results(
        of count: Int, width: Int = .max, _ session: Session, _ tokens: TokenServer
    ) async -> [Result<String, AFError>] {
        let next = Locked(0)
        return await withTaskGroup(of: [Result<String, AFError>].self) { group in
            for _ in 0..<min(width, count) {
                group.addTask {
                    var results: [Result<String, AFError>] = []
                    while true {
                        let number = next.withLock { next in
                            next += 1
                            return next
                        }
                        guard number <= count else { return results }
                        results.append(await session.request(tokens.server.url("/\(number)")).validate().serializingString().result)
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    @Test(arguments: [false, true])
    func `a thousand concurrent requests with an expired token cause one refresh`(clientKnows: Bool) async throws {
        let tokens = try TokenServer(isExpired: true)
        let (session, authenticator, _) = session(tokens, RotatingToken(requiresRefresh: clientKnows))

        let results = await results(of: 1_000, session, tokens)

        #expect(results.allSatisfy { (try? $0.get()) == "content" } && results.count == 1_000)
        #expect(tokens.log.refreshTokens == ["refresh-0"])
        #expect(authenticator.refreshed.events == ["access-0"])
        #expect(tokens.log.accepted == 1_000)
        if clientKnows { #expect(tokens.log.refused == 0) }
    }

    /// By time and by number of requests; the stress tests have the long run.
    @Test(arguments: [TokenServer.Lifetime.time(.milliseconds(20)), .uses(7)])
    func `requests during which the token expires again and again all succeed`(lifetime: TokenServer.Lifetime) async throws {
        let tokens = try TokenServer(lifetime: lifetime)
        let (session, authenticator, _) = session(tokens, window: nil)

        let results = await results(of: 500, width: 16, session, tokens)

        #expect(results.allSatisfy { (try? $0.get()) == "content" } && results.count == 500)
        #expect(tokens.reused.isEmpty)
        // Each token is refreshed once, in turn.
        #expect(authenticator.refreshed.events == (0..<tokens.log.refreshTokens.count).map { "access-\($0)" })
        if case .uses(let uses) = lifetime { #expect(tokens.log.refreshTokens.count >= 500 / uses - 1) }
    }

    @Test(arguments: [false, true])
    func `a failed refresh fails all that wait for it, once, and the next request tries anew`(clientKnows: Bool) async throws {
        let gate = TestGate()
        let tokens = try TokenServer(isExpired: true, status: 500, gate: gate)
        let (session, _, _) = session(tokens, RotatingToken(requiresRefresh: clientKnows))
        let count = 100

        let ends = EventRecorder<Result<String, AFError>>()
        for number in 1...count {
            session.request(tokens.server.url("/\(number)")).validate().responseString { ends.record($0.result) }
        }
        try await gate.waitForWaiters()
        // Those that were refused are all back before the refresh ends; those that are not sent yet wait for it, and all have been begun.
        if !clientKnows { try await tokens.server.waitForRequests(count: count + 1) }
        session.rootQueue.sync {}
        gate.open()
        let errors = try await ends.wait(for: count).map { result -> AFError? in
            if case .failure(let error) = result { return error }
            return nil
        }

        #expect(errors.count == count)
        for error in errors {
            let retryError: (any Error)?
            switch error {
            case .requestRetryFailed(let cause, let original)?:
                retryError = cause
                #expect(original.asAFError?.responseCode == 401)
            case .requestAdaptationFailed(let cause)?: retryError = cause
            default: retryError = nil
            }
            #expect(retryError?.asAFError?.responseCode == 500)
        }
        #expect(tokens.log.refreshTokens == ["refresh-0"])
        _ = await session.request(tokens.server.url("/again")).validate().serializingString().result
        #expect(tokens.log.refreshTokens == ["refresh-0", "refresh-0"])
    }

    @Test func `a request that was on its way with the old token is sent again with the new one, without a second refresh`() async throws {
        let arrival = TestGate()
        let tokens = try TokenServer(isExpired: true, arrival: arrival)
        let (session, authenticator, interceptor) = session(tokens)
        let quick = session.request(tokens.server.url("/quick")).validate().serializingString()
        try await arrival.waitForWaiters()

        // Both are on their way with the old token. The first is refused and refreshes; the answer to the second, a 401 as well, is held back.
        let slow = session.request(tokens.server.url("/slow")).validate().serializingString()
        try await arrival.waitForWaiters(2)
        arrival.release(1)
        // The first, sent again, arrives with the new token before the second hears of its refusal.
        try await tokens.server.waitForRequests(count: 4)
        try await arrival.waitForWaiters(2)
        arrival.open()
        let (first, second) = (await quick.result, await slow.result)

        #expect(try first.get() == "content" && second.get() == "content")
        #expect(tokens.log.refused == 2)
        #expect(authenticator.refreshed.events == ["access-0"])
        #expect(interceptor.credential?.accessToken == "access-1")
    }

    @Test func `a server that refuses even new tokens is not asked for ever more of them`() async throws {
        let tokens = try TokenServer(lifetime: .uses(0))
        let (session, authenticator, _) = session(tokens, window: .init(interval: 60, maximumAttempts: 3))

        let results = await results(of: 20, session, tokens)

        for result in results {
            guard case .failure(.requestRetryFailed(let cause, _)) = result else {
                Issue.record("another result: \(result)")
                continue
            }
            #expect(cause as? AuthenticationError == .excessiveRefresh)
        }
        #expect(authenticator.refreshed.events == ["access-0", "access-1", "access-2"])
    }
}

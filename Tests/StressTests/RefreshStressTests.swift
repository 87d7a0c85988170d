// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

/// Very many requests while the token expires again and again, by the server's clock.
@Suite(.enabled(if: Stress.isEnabled, "runs where OPENMOYA_STRESS is set"), .serialized, .timeLimit(.minutes(20)))
struct RefreshStressTests {
    private static let count = 10_000
    private static let width = 64

    private func session(_ tokens: TokenServer) -> (Session, RotatingAuthenticator) {
        let authenticator = RotatingAuthenticator(server: tokens.server.baseURL)
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.httpMaximumConnectionsPerHost = Self.width
        return (
            Session(
                configuration: configuration, startRequestsImmediately: false,
                interceptor: AuthenticationInterceptor(
                    authenticator: authenticator, credential: RotatingToken(), refreshWindow: nil)),
            authenticator
        )
    }

    private func failures(_ send: @escaping @Sendable (Int) async -> String?) async -> [String] {
        let next = Locked(0)
        return await withTaskGroup(of: [String].self) { group in
            for _ in 0..<Self.width {
                group.addTask {
                    var failures: [String] = []
                    while true {
                        let number = next.withLock { next in
                            next += 1
                            return next
                        }
                        guard number <= Self.count else { return failures }
                        if let failure = await send(number) { failures.append(failure) }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func check(
        _ failures: [String], _ tokens: TokenServer, _ authenticator: RotatingAuthenticator, since start: ContinuousClock.Instant
    ) {
        let log = tokens.log
        print(
            "\(Self.count) requests in \(ContinuousClock.now - start): \(log.refreshTokens.count) refreshes, \(log.refused) refused on the way"
        )
        #expect(failures.isEmpty, "\(failures.prefix(5))")
        #expect(log.accepted == Self.count)
        #expect(tokens.reused.isEmpty)
        #expect(authenticator.refreshed.events == (0..<log.refreshTokens.count).map { "access-\($0)" })
        #expect(!log.refreshTokens.isEmpty)
    }

    @Test func `every request of a session succeeds while the token expires every 50 ms`() async throws {
        let tokens = try TokenServer(lifetime: .time(.milliseconds(50)))
        let (session, authenticator) = session(tokens)
        let start = ContinuousClock.now

        let failures = await failures { number in
            let response = await session.request(tokens.server.url("/\(number)")).validate().serializingString().response
            return response.value == "content" ? nil : "\(number): \(response)"
        }

        check(failures, tokens, authenticator, since: start)
    }

    @Test func `every request of a provider succeeds while the token expires every 50 ms`() async throws {
        let tokens = try TokenServer(lifetime: .time(.milliseconds(50)))
        let (session, authenticator) = session(tokens)
        let provider = MoyaProvider<NumberTarget>(session: session)
        let start = ContinuousClock.now

        let failures = await failures { number in
            do {
                let response = try await provider.request(NumberTarget(baseURL: tokens.server.baseURL, number: number))
                return response.statusCode == 200 ? nil : "\(number): \(response)"
            } catch {
                return "\(number): \(error)"
            }
        }

        check(failures, tokens, authenticator, since: start)
    }
}

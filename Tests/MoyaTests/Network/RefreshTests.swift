// SPDX-License-Identifier: MIT

import AuthenticationSuite
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

/// Tokens that expire, behind a provider.
@Suite(.timeLimit(.minutes(1)))
struct RefreshTests {
    private func provider(_ tokens: TokenServer, _ token: RotatingToken = RotatingToken()) -> (
        MoyaProvider<AnyTarget>, RotatingAuthenticator
    ) {
        let authenticator = RotatingAuthenticator(server: tokens.server.baseURL)
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        let session = Session(
            configuration: configuration, startRequestsImmediately: false,
            interceptor: AuthenticationInterceptor(authenticator: authenticator, credential: token))
        return (MoyaProvider<AnyTarget>(session: session), authenticator)
    }

    private func target(_ tokens: TokenServer, _ number: Int) -> AnyTarget {
        .on(tokens.server, "/\(number)", validation: .successCodes)
    }

    /// Half by the awaited form, half by callbacks.
    private func results(
        of count: Int, _ provider: MoyaProvider<AnyTarget>, _ tokens: TokenServer
    ) async -> [Result<Moya.Response, MoyaError>] {
        await withTaskGroup(of: Result<Moya.Response, MoyaError>.self) { group in
            for number in 0..<count {
                let target = target(tokens, number)
                group.addTask {
                    guard number.isMultiple(of: 2) else { return await provider.result(of: target) }
                    do throws(MoyaError) { return .success(try await provider.request(target)) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: [false, true])
    func `a thousand concurrent requests of a provider with an expired token cause one refresh`(clientKnows: Bool) async throws {
        let tokens = try TokenServer(isExpired: true)
        let (provider, authenticator) = provider(tokens, RotatingToken(requiresRefresh: clientKnows))

        let results = await results(of: 1_000, provider, tokens)

        #expect(results.count == 1_000)
        #expect(results.allSatisfy { (try? $0.get().mapString()) == "content" })
        #expect(tokens.log.refreshTokens == ["refresh-0"])
        #expect(authenticator.refreshed.events == ["access-0"])
    }

    @Test func `a failed refresh fails every request of a provider that waits for it, once`() async throws {
        let gate = TestGate()
        let tokens = try TokenServer(isExpired: true, status: 500, gate: gate)
        let (provider, _) = provider(tokens)

        async let results = results(of: 50, provider, tokens)
        try await gate.waitForWaiters()
        try await tokens.server.waitForRequests(count: 51)
        gate.open()

        for result in await results {
            guard case .failure(.underlying(let error as AFError, _)) = result, case .requestRetryFailed(let cause, _) = error else {
                Issue.record("another result: \(result)")
                continue
            }
            #expect(cause.asAFError?.responseCode == 500)
        }
        #expect(tokens.log.refreshTokens == ["refresh-0"])
    }

    @Test func `plugins see each sending and one response`() async throws {
        let tokens = try TokenServer(isExpired: true)
        let events = EventRecorder<String>()
        let session = Session(
            configuration: URLSessionConfiguration.af.ephemeral, startRequestsImmediately: false,
            interceptor: AuthenticationInterceptor(
                authenticator: RotatingAuthenticator(server: tokens.server.baseURL), credential: RotatingToken()))
        let provider = MoyaProvider<AnyTarget>(session: session, plugins: [Recorder(events: events)])

        let response = try await provider.request(target(tokens, 1))

        #expect(response.statusCode == 200)
        #expect(events.events == ["will send", "will send", "did receive 200"])
    }

    private struct Recorder: PluginType {
        let events: EventRecorder<String>
        func willSend(_ request: any RequestType, target: any TargetType) { events.record("will send") }
        func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
            events.record("did receive \((try? result.get().statusCode) ?? 0)")
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct AuthenticationInterceptorTests {
    private struct Token: AuthenticationCredential, Sendable {
        let number: Int
        var isStale = false
        var requiresRefresh: Bool { isStale }
    }

    /// Gives tokens one number up.
    private final class Counter: Authenticator {
        let refreshes = EventRecorder<Int>()
        let fails: Bool

        init(fails: Bool = false) { self.fails = fails }

        func apply(_ credential: Token, to urlRequest: inout URLRequest) {
            urlRequest.headers.update(.authorization(bearerToken: "\(credential.number)"))
        }

        func refresh(_ credential: Token, for session: Session, completion: @escaping @Sendable (Result<Token, any Error>) -> Void) {
            refreshes.record(credential.number)
            completion(fails ? .failure(URLError(.userAuthenticationRequired)) : .success(Token(number: credential.number + 1)))
        }

        func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error) -> Bool {
            response.statusCode == 401
        }

        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
            urlRequest.headers["Authorization"] == "Bearer \(credential.number)"
        }
    }

    /// Accepts the second token and no other.
    private func server() throws -> TestServer {
        try TestServer { request in request.fields.values("Authorization") == ["Bearer 2"] ? .ok("in") : .status(401) }
    }

    @Test func `however many requests are refused, one refresh lets them all in`() async throws {
        let server = try server()
        let authenticator = Counter()
        let session = Session.alone(interceptor: AuthenticationInterceptor(authenticator: authenticator, credential: Token(number: 1)))

        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<20 {
                group.addTask { try await session.request(server.url("/\(number)")).validate().serializingString().value }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(texts == Array(repeating: "in", count: 20))
        #expect(authenticator.refreshes.events == [1])
    }

    @Test func `a credential that is about to expire is refreshed before anything is sent`() async throws {
        let server = try server()
        let authenticator = Counter()
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(number: 1, isStale: true))
        let session = Session.alone(interceptor: interceptor)

        let text = try await session.request(server.url("/")).validate().serializingString().value

        #expect(text == "in")
        #expect(server.requestCount == 1)
        #expect(interceptor.credential?.number == 2)
    }

    @Test func `a failed refresh fails the request with both errors`() async throws {
        let server = try server()
        let interceptor = AuthenticationInterceptor(authenticator: Counter(fails: true), credential: Token(number: 1))
        let session = Session.alone(interceptor: interceptor)

        let error = await session.request(server.url("/")).validate().serializingString().response.error

        guard case .requestRetryFailed(let retryError, let originalError) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect((retryError as? URLError)?.code == .userAuthenticationRequired)
        #expect(originalError.asAFError?.responseCode == 401)
    }

    @Test func `a refusal for another reason is none of its business, and nothing is sent without a credential`() async throws {
        let server = try TestServer { _ in .status(403) }
        let authenticator = Counter()
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(number: 1))
        let session = Session.alone(interceptor: interceptor)

        let refused = await session.request(server.url("/")).validate().serializingString().response.error
        interceptor.credential = nil
        let unsigned = await session.request(server.url("/")).validate().serializingString().response.error

        #expect(refused?.responseCode == 403)
        #expect(unsigned?.underlyingError as? AuthenticationError == .missingCredential)
        #expect(authenticator.refreshes.events.isEmpty)
        #expect(server.requestCount == 1)
    }
}

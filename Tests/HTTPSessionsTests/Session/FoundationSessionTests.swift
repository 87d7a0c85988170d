// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sessions over a `URLSession` of the caller's, whatever the platform's own engine is.
@Suite(.timeLimit(.minutes(1)))
struct FoundationSessionTests {
    private func makeSession(_ serverTrustManager: ServerTrustManager? = nil) -> Session {
        let delegate = SessionDelegate()
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        return Session(
            session: session, delegate: delegate, rootQueue: DispatchQueue(label: "test.root"), serverTrustManager: serverTrustManager)
    }

    @Test func `a URLSession that the caller made carries the requests`() async throws {
        let server = try TestServer { .ok("over Foundation, \($0.path)") }
        let session = makeSession()

        let text = try await session.request(server.url("/here")).serializingString().value

        #expect(text == "over Foundation, /here")
        #expect(session.session.delegate === session.delegate)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a session that is let go of while its URLSession works ends every request once`(seed: UInt64) async throws {
        let server = try TestServer(.init { $0.recordsRequests = false }) { _ in .ok("x") }
        var random = SeededGenerator(seed: seed)
        let ended = EventRecorder<Int>()
        for round in 0..<10 {
            var session: Session? = makeSession()
            for number in 0..<10 {
                session?.request(server.url("/")).response(queue: .global()) { _ in ended.record(round * 10 + number) }
            }
            for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
            session = nil
        }

        #expect(try await ended.wait(for: 100).sorted() == Array(0..<100))
    }

    #if !canImport(Darwin)
    @Test func `the cache of the caller's URLSession is asked within the call that starts the task`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let configuration = URLSessionConfiguration.ephemeral
        let cache = AskedCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
        configuration.urlCache = cache
        let delegate = SessionDelegate()
        let foundation = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let session = Session(session: foundation, delegate: delegate, rootQueue: DispatchQueue(label: "test.root"))

        #expect(try await session.request(server.url("/")).serializingString().value == "x")

        #expect(cache.questions.events == ["at once"])
        #expect(foundation.configuration.urlCache?.memoryCapacity == cache.memoryCapacity)
    }

    @Test func `a trust manager that cannot be asked fails the request`() async throws {
        let server = try TestServer { _ in .ok }
        let session = makeSession(ServerTrustManager(evaluators: [:]))
        let url = "https://127.0.0.1:\(server.port)/"

        let error = await session.request(url).serializingData().response.error

        #expect(error?.httpError?.kind == .unsupportedByTransport)
        #expect(server.requestCount == 0)
    }
    #endif

    @Test func `a session with another delegate is refused with a reason`() async throws {
        let server = try TestServer { _ in .ok }
        let foundation = URLSession(configuration: .ephemeral)
        let session = Session(session: foundation, delegate: SessionDelegate(), rootQueue: DispatchQueue(label: "test.root"))

        let error = await session.request(server.url("/")).serializingData().response.error

        #expect(error?.localizedDescription.contains("delegate") == true)
        #expect(server.requestCount == 0)
        foundation.invalidateAndCancel()
    }
}

#if !canImport(Darwin)
/// Says how it was asked.
private final class AskedCache: URLCache, @unchecked Sendable {  // what it records is behind a lock
    let questions = EventRecorder<String>()

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        questions.record("at once")
        return nil
    }

    override func getCachedResponse(for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void) {
        questions.record("for later")
        super.getCachedResponse(for: dataTask, completionHandler: completionHandler)
    }
}
#endif

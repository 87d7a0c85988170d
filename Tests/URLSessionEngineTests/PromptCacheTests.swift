// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPMessages
import HTTPTesting
import Testing
import TransportSuite

@testable import URLSessionEngine

@Suite(.timeLimit(.minutes(1))) struct PromptCacheTests {
    private func session(_ cache: URLCache, delegate: any URLSessionDelegate) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = cache
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    @Test func `the caller's cache keeps its size, and what is stored is in it`() async throws {
        let server = try TestServer { _ in .ok("cached", fields: ["Cache-Control": "max-age=600"]) }
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = session(cache, delegate: URLSessionTransport.makeDelegate())
        let transport = URLSessionTransport(session: session)

        for _ in 0..<2 {
            let recorder = TransferRecorder()
            _ = transport.start(HTTPRequest(url: server.url()), options: TransferOptions(), receiver: recorder)
            #expect(await recorder.outcome().content == Data("cached".utf8))
        }

        #expect(cache.memoryCapacity == 1 << 20)
        #expect(session.configuration.urlCache?.memoryCapacity == 1 << 20)
        let kept = session.configuration.urlCache?.cachedResponse(for: URLRequest(url: server.url()))?.data
        #expect(kept == cache.cachedResponse(for: URLRequest(url: server.url()))?.data)
        session.configuration.urlCache?.removeAllCachedResponses()
        #expect(cache.cachedResponse(for: URLRequest(url: server.url())) == nil)
        session.finishTasksAndInvalidate()
        server.close()
    }

    @Test func `two transports over one session put one cache before the caller's`() {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = session(cache, delegate: URLSessionTransport.makeDelegate())
        _ = URLSessionTransport(session: session)
        let first = session.configuration.urlCache
        _ = URLSessionTransport(session: session)
        #expect(first is PromptCache && session.configuration.urlCache === first)
        session.invalidateAndCancel()
    }

    @Test func `a session that no transport can use keeps its cache`() {
        final class Other: NSObject, URLSessionDelegate {}
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = session(cache, delegate: Other())
        _ = URLSessionTransport(session: session)
        #expect(session.configuration.urlCache === cache)
        session.invalidateAndCancel()
    }
}
#endif

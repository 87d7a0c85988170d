// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import SAPFoundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct APIKeyObserverTests {
    private func session(_ url: URL, only: Bool) -> SAPURLSession {
        let session = SAPURLSession()
        let discovery = DefaultAPIKeyCredentialDiscovery(credential: APIKeyCredential(headerName: "APIKey", key: "known-key"), for: url)
        session.register(APIKeyAuthenticationObserver(apikeyCredentialDiscovery: discovery, isAPIKeyAccessOnly: only))
        return session
    }

    @Test func `where a key is all that is needed it goes with every request to its origin, and to no other`() async throws {
        let other = try TestServer { _ in .ok("other") }
        let server = try TestServer { [target = other.url("/").absoluteString] request in
            request.path == "/away" ? .redirect(to: target) : .ok("mine")
        }
        let session = session(server.url("/"), only: true)
        #expect(await session.outcome(of: server.url("/")).text == "mine")
        #expect(await session.outcome(of: server.url("/away")).text == "other")
        #expect(server.requests.map { $0.fields.values("APIKey") } == [["known-key"], ["known-key"]])
        #expect(other.requests.map { $0.fields.values("APIKey") } == [[]])
    }

    @Test func `elsewhere a response has to ask for it, once`() async throws {
        let server = try TestServer { $0.fields.values("APIKey") == ["known-key"] ? .ok("open") : .status(401) }
        #expect(await session(server.url("/"), only: false).outcome(of: server.url("/")).text == "open")
        #expect(server.requests.map { $0.fields.values("APIKey") } == [[], ["known-key"]])

        let closed = try TestServer { _ in .status(403) }
        #expect(await session(closed.url("/"), only: false).outcome(of: closed.url("/")).status == 403)
        #expect(closed.requestCount == 2)
    }

    @Test func `a credential storage over a codable store keeps origins apart and forgets what it knew`() throws {
        let values = InMemoryCodableStore()
        let storage = BasicCredentialStorage(store: values)
        let secure = try #require(URL(string: "https://Example.com/a"))
        let plain = try #require(URL(string: "http://example.com/a"))
        try storage.store(credential: .alice, for: secure)
        #expect(try storage.credential(for: #require(URL(string: "https://example.com:443/b"))) == .alice)
        #expect(try storage.credential(for: plain) == nil)
        #expect(try values.get(BasicCredential.self, for: "openmoya.basic.https://example.com:443") == .alice)
        storage.clear()
        #expect(try storage.credential(for: secure) == nil)
    }
}

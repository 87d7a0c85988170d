// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import Testing

struct CredentialsCacheTests {
    private let alice = UserCredential(userID: "alice", password: "secret-a")
    private let bob = UserCredential(userID: "bob", password: "secret-b")

    @Test func `an empty cache sends nothing`() throws {
        let cache = CredentialsCache()

        #expect(!cache.hasCredentialsToSend)
        #expect(try ahead(cache, "http://example.org/") == nil)
    }

    /// Accepted at http://example.org/docs/page.
    @Test(arguments: [
        ("http://example.org/docs/", true), ("http://example.org/docs/other?q=1", true), ("http://example.org/docs/deep/er", true),
        ("http://EXAMPLE.org:80/docs/page", true), ("http://user:x@example.org/docs/page#f", true),
        ("http://example.org/", false), ("http://example.org/docs", false), ("http://example.org/docsother", false),
        ("http://example.org/docs/../admin", false), ("http://example.org/?/docs/", false),
        ("https://example.org/docs/page", false), ("http://example.org:8080/docs/page", false), ("http://www.example.org/docs/page", false),
        ("http://example.org.evil.example/docs/page", false), ("http://example.org@evil.example/docs/page", false),
        ("ftp://example.org/docs/page", false),
    ])
    func `Basic goes ahead to paths at or below the one that accepted it, and to no other origin`(url: String, isSent: Bool) throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=r", at: "http://example.org/docs/page", cache)

        #expect(try ahead(cache, url)?.fieldValue == (isSent ? "Basic YWxpY2U6c2VjcmV0LWE=" : nil))
    }

    @Test(arguments: [
        ("", "http://example.org/", true), ("", "http://example.org/else/where", true), ("", "https://example.org/docs/page", false),
        ("", "http://example.org:8080/", false), ("", "http://other.example/", false),
        (#", domain="/private /shared/x""#, "http://example.org/private/a", true),
        (#", domain="/private /shared/x""#, "http://example.org/shared/x", true),
        (#", domain="/private /shared/x""#, "http://example.org/shared/y", false),
        (#", domain="http://example.org/abs http://other.example/""#, "http://example.org/abs/1", true),
        (#", domain="http://example.org/abs http://other.example/""#, "http://other.example/", false),
        (#", domain="http://example.org/abs http://other.example/else""#, "http://example.org/else", false),
        (#", domain="//other.example/""#, "http://example.org/docs/1", true),
        (#", domain="//other.example/""#, "http://other.example/", false),
        (#", domain="//other.example/""#, "http://example.org/", false),
    ])
    func `Digest goes ahead to the whole origin, or to what domain names of it`(domain: String, url: String, isSent: Bool) throws {
        let cache = CredentialsCache()
        try accept(alice, "Digest realm=r, nonce=n, qop=auth\(domain)", at: "http://example.org/docs/page", cache)

        #expect((try ahead(cache, url) != nil) == isSent)
    }

    @Test func `of two spaces the longer path wins, and of two users the last`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=outer", at: "http://example.org/", cache)
        try accept(bob, "Basic realm=inner", at: "http://example.org/inner/", cache)

        #expect(try ahead(cache, "http://example.org/inner/x")?.protectionSpace.realm == "inner")
        #expect(try ahead(cache, "http://example.org/x")?.protectionSpace.realm == "outer")

        try accept(bob, "Basic realm=outer", at: "http://example.org/", cache)
        #expect(try ahead(cache, "http://example.org/x")?.fieldValue == "Basic Ym9iOnNlY3JldC1i")
    }

    @Test func `a request with a credential of its own sends that one ahead or none`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=r", at: "http://example.org/", cache)

        #expect(try ahead(cache, "http://example.org/", credential: bob) == nil)
        #expect(try ahead(cache, "http://example.org/", credential: alice) != nil)
    }

    @Test func `what is not shared goes ahead only for requests that bring it`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=r", at: "http://example.org/", cache, isShared: false)

        #expect(try ahead(cache, "http://example.org/") == nil)
        #expect(try ahead(cache, "http://example.org/", credential: alice) != nil)
    }

    @Test func `switched off, nothing goes ahead, but the space's credential is known`() throws {
        let cache = CredentialsCache(sendsAhead: false)
        try accept(alice, "Basic realm=r", at: "http://example.org/", cache)

        #expect(!cache.hasCredentialsToSend)
        #expect(try ahead(cache, "http://example.org/") == nil)
        var exchange = AuthenticationExchange(cache: cache)
        let offers = exchange.challenged(
            try Challenge.parse(["Basic realm=r, Basic realm=s"]), by: .server(try origin("http://example.org")),
            for: AuthenticatedRequest(method: "GET", target: "/"))
        #expect(offers.map(\.knownCredential) == [alice, nil])
    }

    @Test func `a proxy's credentials go to that proxy and to no server`() throws {
        let cache = CredentialsCache()
        let proxy = Challenger.proxy(try origin("http://proxy.example:3128"))
        let request = AuthenticatedRequest(method: "CONNECT", target: "example.org:443")
        var exchange = AuthenticationExchange(cache: cache)
        _ = try exchange.answer(to: try Challenge.parse(["Basic realm=r"]), by: proxy, with: alice, for: request)
        exchange.settled(status: 200) { _ in [] }

        #expect(cache.credentialsToSendAhead(to: proxy, for: request)?.fieldName == "Proxy-Authorization")
        #expect(try ahead(cache, "http://proxy.example:3128/") == nil)
        #expect(cache.credentialsToSendAhead(to: .proxy(try origin("http://proxy.example:3129")), for: request) == nil)
    }

    @Test func `everything goes at log-out`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=r", at: "http://example.org/", cache)
        cache.removeAll()

        #expect(!cache.hasCredentialsToSend)
        #expect(try ahead(cache, "http://example.org/") == nil)
    }

    @Test func `a server that invents realms does not fill memory, and what is in use stays`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=r", at: "http://used.example/", cache)
        for index in 0..<600 {
            try accept(bob, "Basic realm=\(index)", at: "http://example.org/\(index)/", cache)
            #expect(try ahead(cache, "http://used.example/") != nil)
        }

        #expect(try ahead(cache, "http://example.org/0/") == nil)
        #expect(try ahead(cache, "http://example.org/599/") != nil)
    }

    @Test func `each nonce count is used once, however many threads send`() async throws {
        let cache = CredentialsCache()
        try accept(alice, "Digest realm=r, nonce=n, qop=auth", at: "http://example.org/", cache)
        let url = try #require(URL(string: "http://example.org/a"))

        let counts = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<250).compactMap { _ in
                        let value = cache.credentialsToSendAhead(for: url, method: "GET")?.fieldValue
                        return value?.firstMatch(of: /nc=([0-9a-f]{8})/).map { String($0.1) }
                    }
                }
            }
            return await group.reduce(into: [String]()) { $0 += $1 }
        }

        #expect(counts.count == 4_000)
        // 1 was the answer to the challenge.
        #expect(Set(counts.compactMap { Int($0, radix: 16) }) == Set(2...4_001))
    }

    private func origin(_ url: String) throws -> Origin { try #require(URL(string: url).flatMap(Origin.init)) }

    private func ahead(_ cache: CredentialsCache, _ url: String, credential: UserCredential? = nil) throws -> IssuedCredentials? {
        cache.credentialsToSendAhead(for: try #require(URL(string: url)), method: "GET", credential: credential)
    }

    private func accept(_ credential: UserCredential, _ challenge: String, at url: String, _ cache: CredentialsCache, isShared: Bool = true)
        throws
    {
        let target = try #require(URL(string: url).flatMap(RequestTarget.init))
        var exchange = AuthenticationExchange(cache: cache)
        let answer = try exchange.answer(
            to: try Challenge.parse([challenge]), by: .server(target.origin), with: credential,
            for: AuthenticatedRequest(method: "GET", target: target.originForm), isShared: isShared)
        guard case .field = answer else {
            Issue.record("not answered: \(answer)")
            return
        }
        exchange.settled(status: 200) { _ in [] }
    }
}

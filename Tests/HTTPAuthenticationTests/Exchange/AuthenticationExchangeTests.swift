// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import Testing

struct AuthenticationExchangeTests {
    private let alice = UserCredential(userID: "alice", password: "secret-a")
    private let bob = UserCredential(userID: "bob", password: "secret-b")
    private let request = AuthenticatedRequest(method: "GET", target: "/docs/page")

    /// Responses and answers in turn, each word one step: what the server challenges with, and what comes of it.
    @Test func `a refused password is not sent twice, another one is`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache())

        #expect(try step(&exchange, "Basic realm=r", alice) == "Basic YWxpY2U6c2VjcmV0LWE=")
        #expect(try step(&exchange, "Basic realm=r", alice) == "rejected")
        #expect(try step(&exchange, "Basic realm=r", bob) == "Basic Ym9iOnNlY3JldC1i")
    }

    @Test func `failures are counted by protection space`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache())
        _ = try step(&exchange, "Basic realm=r", alice)
        let offers = exchange.challenged(try Challenge.parse(["Basic realm=r, Basic realm=s"]), by: try server(), for: request)

        #expect(offers.map(\.previousFailureCount) == [1, 0])
        _ = try exchange.answer(offers[0], with: bob, to: request)
        let again = exchange.challenged(try Challenge.parse(["Basic realm=r"]), by: try server(), for: request)
        #expect(again.map(\.previousFailureCount) == [2])
    }

    @Test func `a password that Digest carried in vain is not sent by Basic`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache(clientNonces: .constant("c")))

        #expect(try step(&exchange, "Basic realm=r, Digest realm=r, nonce=n", alice).hasPrefix("Digest "))
        #expect(try step(&exchange, "Basic realm=r, Digest realm=r, nonce=n2", alice) == "rejected")
    }

    @Test func `a stale nonce is answered again without counting, but not for ever`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache())
        _ = try step(&exchange, "Digest realm=r, nonce=0, qop=auth", alice)
        for round in 1...AuthenticationExchange.renewalLimit {
            let challenges = try Challenge.parse(["Digest realm=r, nonce=\(round), stale=TRUE, qop=auth"])
            let offer = try #require(exchange.challenged(challenges, by: try server(), for: request).first)
            #expect(offer.previousFailureCount == 0)
            #expect(offer.knownCredential == alice)
            _ = try #require(field(try exchange.answer(offer, with: offer.knownCredential, to: request)))
        }

        #expect(try step(&exchange, "Digest realm=r, nonce=last, stale=true, qop=auth", alice) == "rejected")
    }

    @Test func `a nonce that changes with every refusal is a refusal all the same`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache())
        _ = try step(&exchange, "Digest realm=r, nonce=1, qop=auth", alice)

        #expect(try step(&exchange, "Digest realm=r, nonce=2, qop=auth", alice) == "rejected")
    }

    @Test func `a server that asks in a new realm each time is given up`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache(), answerLimit: 4)

        let answers = try (0..<6).map { try step(&exchange, "Basic realm=\($0)", alice) }

        #expect(answers.map { $0 == "rejected" } == [false, false, false, false, true, true])
    }

    @Test func `credentials sent ahead and refused are dropped and not sent again, which is no failure of an answer`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=r", cache)
        let url = try #require(URL(string: "http://example.org/docs/page"))
        var exchange = AuthenticationExchange(cache: cache)
        exchange.sentAhead(try #require(cache.credentialsToSendAhead(for: url, method: "GET")))
        exchange.settled(status: 401) { _ in [] }
        let offers = exchange.challenged(try Challenge.parse(["Basic realm=r"]), by: try server(), for: request)

        #expect(offers.map(\.previousFailureCount) == [0])
        #expect(offers.map(\.knownCredential) == [nil])
        #expect(!cache.hasCredentialsToSend)
        #expect(try step(&exchange, "Basic realm=r", alice) == "rejected")
        #expect(try step(&exchange, "Basic realm=r", bob) == "Basic Ym9iOnNlY3JldC1i")
    }

    @Test func `credentials sent ahead to a path of another realm stay`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Basic realm=r", cache)
        let url = try #require(URL(string: "http://example.org/docs/page"))
        var exchange = AuthenticationExchange(cache: cache)
        exchange.sentAhead(try #require(cache.credentialsToSendAhead(for: url, method: "GET")))

        #expect(try step(&exchange, "Basic realm=s", bob) == "Basic Ym9iOnNlY3JldC1i")
        #expect(cache.credentialsToSendAhead(for: url, method: "GET")?.protectionSpace.realm == "r")
    }

    @Test func `a nonce sent ahead that the server has forgotten is renewed with the known credential`() throws {
        let cache = CredentialsCache()
        try accept(alice, "Digest realm=r, nonce=old, qop=auth", cache)
        let url = try #require(URL(string: "http://example.org/docs/page"))
        var exchange = AuthenticationExchange(cache: cache)
        exchange.sentAhead(try #require(cache.credentialsToSendAhead(for: url, method: "GET")))

        let answer = try step(&exchange, "Digest realm=r, nonce=new, qop=auth", nil)

        #expect(answer.contains(#"nonce="new", nc=00000001"#))
        exchange.settled(status: 200) { _ in [] }
        #expect(cache.credentialsToSendAhead(for: url, method: "GET")?.fieldValue.contains(#"nonce="new", nc=00000002"#) == true)
    }

    @Test func `nextnonce is used from the next request on, with its own counts`() throws {
        let cache = CredentialsCache()
        let url = try #require(URL(string: "http://example.org/docs/page"))
        try accept(alice, "Digest realm=r, nonce=first, qop=auth", cache, information: ["nextnonce=second"])
        let second = try #require(cache.credentialsToSendAhead(for: url, method: "GET"))
        #expect(second.fieldValue.contains(#"nonce="second", nc=00000001"#))

        var exchange = AuthenticationExchange(cache: cache)
        exchange.sentAhead(second)
        exchange.settled(status: 200) { $0 == "Authentication-Info" ? ["nextnonce=third"] : [] }

        #expect(cache.credentialsToSendAhead(for: url, method: "GET")?.fieldValue.contains(#"nonce="third", nc=00000001"#) == true)
    }

    @Test func `a late nextnonce does not replace a newer one`() throws {
        let cache = CredentialsCache()
        let url = try #require(URL(string: "http://example.org/docs/page"))
        try accept(alice, "Digest realm=r, nonce=first, qop=auth", cache)
        var slow = AuthenticationExchange(cache: cache)
        slow.sentAhead(try #require(cache.credentialsToSendAhead(for: url, method: "GET")))
        var fast = AuthenticationExchange(cache: cache)
        fast.sentAhead(try #require(cache.credentialsToSendAhead(for: url, method: "GET")))

        fast.settled(status: 200) { _ in ["nextnonce=newer"] }
        slow.settled(status: 200) { _ in ["nextnonce=late"] }

        #expect(cache.credentialsToSendAhead(for: url, method: "GET")?.fieldValue.contains(#"nonce="newer""#) == true)
    }

    @Test func `two requests challenged with one nonce answer with different counts`() throws {
        let cache = CredentialsCache()
        var one = AuthenticationExchange(cache: cache)
        var other = AuthenticationExchange(cache: cache)

        #expect(try step(&one, "Digest realm=r, nonce=n, qop=auth", alice).contains("nc=00000001"))
        #expect(try step(&other, "Digest realm=r, nonce=n, qop=auth", alice).contains("nc=00000002"))
    }

    /// H(A1) of alice in "r", nonce n, nc 1, cnonce c, computed with Python's hashlib.
    @Test(arguments: [
        (#"rspauth="3e0cd2c0c0f5b5c5a3b2f0d0d1f4f9b1", qop=auth"#, false), (#"qop=auth, rspauth="PROOF""#, true),
        (#"qop=auth-int, rspauth="0000""#, true), ("nc=00000001", true), (#"rspauth="unterminated"#, true),
    ])
    func `a server that fails to prove itself is not remembered`(information: String, isRemembered: Bool) throws {
        let cache = CredentialsCache(clientNonces: .constant("c"))
        let proof = "5ba87dbcfee272f8c134f78fd87d8fb3"
        try accept(
            alice, "Digest realm=r, nonce=n, qop=auth", cache, information: [information.replacingOccurrences(of: "PROOF", with: proof)])

        #expect(cache.hasCredentialsToSend == isRemembered)
    }

    @Test(arguments: [(200, true), (302, true), (404, true), (500, true), (400, false), (401, false)])
    func `any final status but 400 and 401 accepts`(status: Int, isRemembered: Bool) throws {
        let cache = CredentialsCache()
        var exchange = AuthenticationExchange(cache: cache)
        _ = try step(&exchange, "Basic realm=r", alice)
        exchange.settled(status: status) { _ in [] }

        #expect(cache.hasCredentialsToSend == isRemembered)
    }

    @Test func `a proxy and a server are answered in one exchange, each message with its own counts`() throws {
        let cache = CredentialsCache()
        let proxy = Challenger.proxy(try #require(Origin(scheme: "http", host: "proxy.example", port: 3128)))
        var exchange = AuthenticationExchange(cache: cache)
        let digest = try Challenge.parse(["Digest realm=p, nonce=n, qop=auth"])
        let first = try #require(field(try exchange.answer(to: digest, by: proxy, with: bob, for: request)))
        #expect(first.fieldName == "Proxy-Authorization")

        exchange.settled(status: 401) { _ in [] }
        _ = try step(&exchange, "Basic realm=r", alice)
        let again = try #require(try exchange.credentialsToResend(to: proxy, for: request))

        #expect(first.fieldValue.contains("nc=00000001"))
        #expect(again.fieldValue.contains("nc=00000002"))
        #expect(try exchange.credentialsToResend(to: .server(proxy.origin), for: request) == nil)
    }

    @Test func `a challenge by the proxy says nothing about the server's credentials`() throws {
        let cache = CredentialsCache()
        let proxy = Challenger.proxy(try #require(Origin(scheme: "http", host: "proxy.example", port: 3128)))
        var exchange = AuthenticationExchange(cache: cache)
        _ = try step(&exchange, "Basic realm=r", alice)
        exchange.settled(status: 407) { _ in [] }
        _ = try exchange.answer(to: try Challenge.parse(["Basic realm=p"]), by: proxy, with: bob, for: request)

        #expect(!cache.hasCredentialsToSend)
        #expect(try exchange.credentialsToResend(to: try server(), for: request)?.fieldValue == "Basic YWxpY2U6c2VjcmV0LWE=")
        exchange.settled(status: 200) { _ in [] }
        #expect(cache.credentialsToSendAhead(to: try server(), for: request) != nil)
        #expect(cache.credentialsToSendAhead(to: proxy, for: request) != nil)
    }

    @Test func `Basic is not sent again above its path`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache())
        _ = try step(&exchange, "Basic realm=r", alice)
        exchange.settled(status: 302) { _ in [] }

        #expect(try exchange.credentialsToResend(to: try server(), for: AuthenticatedRequest(method: "GET", target: "/")) == nil)
        #expect(try exchange.credentialsToResend(to: try server(), for: AuthenticatedRequest(method: "GET", target: "/docs/2")) != nil)
    }

    @Test func `Negotiate goes to the transport, and after its failure the next scheme is tried`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache(), transportSchemes: [.negotiate])

        #expect(try step(&exchange, "Negotiate, Basic realm=r", alice) == "transport Negotiate")
        #expect(try step(&exchange, "Negotiate, Basic realm=r", alice) == "Basic YWxpY2U6c2VjcmV0LWE=")
    }

    @Test func `after NTLM was refused its password is not sent in the clear`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache(), transportSchemes: [.ntlm])

        #expect(try step(&exchange, "NTLM, Basic realm=r", alice) == "transport NTLM")
        #expect(try step(&exchange, "NTLM, Basic realm=r", alice) == "rejected")
    }

    @Test func `what the transport logged in with goes ahead in its origin, for those who share it`() throws {
        let cache = CredentialsCache()
        var exchange = AuthenticationExchange(cache: cache, transportSchemes: [.ntlm])
        #expect(try step(&exchange, "NTLM", alice) == "transport NTLM")
        exchange.settled(status: 200) { _ in [] }

        #expect(ahead(cache, alice) == "NTLM alice" && ahead(cache, nil) == "NTLM alice")
        #expect(ahead(cache, bob) == nil)
        let elsewhere = try #require(Origin(scheme: "http", host: "other.example"))
        #expect(cache.answerAhead(to: .server(elsewhere), for: request) == nil)
    }

    @Test func `tickets go ahead without a credential, and are no credential for NTLM or Basic`() throws {
        let cache = CredentialsCache()
        var exchange = AuthenticationExchange(cache: cache, transportSchemes: [.negotiate, .ntlm])
        #expect(try step(&exchange, "Negotiate", nil) == "transport Negotiate")
        exchange.settled(status: 200) { _ in [] }

        #expect(ahead(cache, nil) == "Negotiate ")
        #expect(ahead(cache, alice) == nil)
        let offers = exchange.challenged(try Challenge.parse(["NTLM, Basic realm=r"]), by: try server(), for: request)
        #expect(offers.allSatisfy { $0.knownCredential == nil })
    }

    @Test func `tickets that went ahead in vain do not go ahead again, and the next scheme is tried`() throws {
        let cache = CredentialsCache()
        var exchange = AuthenticationExchange(cache: cache, transportSchemes: [.negotiate])
        _ = try step(&exchange, "Negotiate", nil)
        exchange.settled(status: 200) { _ in [] }

        var next = AuthenticationExchange(cache: cache, transportSchemes: [.negotiate])
        next.sentAhead(try #require(cache.answerAhead(to: try server(), for: request)))
        next.settled(status: 401) { _ in [] }

        #expect(try step(&next, "Negotiate, Basic realm=r", alice) == "Basic YWxpY2U6c2VjcmV0LWE=")
        #expect(ahead(cache, nil) == nil)
    }

    /// What goes ahead: the scheme, and whose it is.
    private func ahead(_ cache: CredentialsCache, _ credential: UserCredential?) -> String? {
        guard let server = try? server() else { return nil }
        switch cache.answerAhead(to: server, for: request, credential: credential) {
        case .transport(let scheme, let credential, _): return "\(scheme) \(credential?.userID ?? "")"
        case .field(let issued): return issued.fieldValue
        case nil: return nil
        }
    }

    @Test func `without a known scheme there is no answer, and none without a credential`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache())

        #expect(try step(&exchange, "Bearer realm=r", alice) == "no scheme")
        #expect(try step(&exchange, "Basic realm=r", nil) == "rejected")
    }

    @Test func `the error of the strongest scheme is told if no other can carry the credential`() throws {
        var exchange = AuthenticationExchange(cache: CredentialsCache())
        let colon = UserCredential(userID: "a:b", password: "x")

        #expect(throws: HTTPAuthenticationError.colonInUserID) { try step(&exchange, "Basic realm=r", colon) }
        #expect(try step(&exchange, "Basic realm=r, Digest realm=r, nonce=n", colon).hasPrefix("Digest "))
    }

    @Test func `nothing that holds credentials prints them`() throws {
        let cache = CredentialsCache(clientNonces: .constant("c"))
        try accept(alice, "Digest realm=r, nonce=n, qop=auth", cache)
        var exchange = AuthenticationExchange(cache: cache)
        let basic = try exchange.answer(to: try Challenge.parse(["Basic realm=r"]), by: try server(), with: alice, for: request)
        let ahead = cache.credentialsToSendAhead(to: try server(), for: request)
        let secrets = ["secret-a", "YWxpY2U6c2VjcmV0LWE=", "alice", "response="]

        for value in [exchange, basic, ahead as Any, cache] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!secrets.contains { text.contains($0) })
            }
        }
    }

    private func field(_ answer: ChallengeAnswer) -> IssuedCredentials? {
        if case .field(let credentials) = answer { credentials } else { nil }
    }

    private func server() throws -> Challenger { .server(try #require(Origin(scheme: "http", host: "example.org"))) }

    private func step(_ exchange: inout AuthenticationExchange, _ field: String, _ credential: UserCredential?) throws -> String {
        switch try exchange.answer(to: try Challenge.parse([field]), by: try server(), with: credential, for: request) {
        case .field(let credentials): credentials.fieldValue
        case .transport(let scheme, _): "transport \(scheme)"
        case .noSupportedScheme: "no scheme"
        case .rejected: "rejected"
        }
    }

    private func accept(_ credential: UserCredential, _ field: String, _ cache: CredentialsCache, information: [String] = []) throws {
        var exchange = AuthenticationExchange(cache: cache)
        _ = try step(&exchange, field, credential)
        exchange.settled(status: 200) { $0 == "Authentication-Info" ? information : [] }
    }
}

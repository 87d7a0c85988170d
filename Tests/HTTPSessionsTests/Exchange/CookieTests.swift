// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct CookieTests {
    /// Sets what `set` says on the first request, answers 200 to the others.
    private func server(setting cookies: String...) throws -> TestServer {
        let server = try TestServer { _ in .ok }
        server.enqueue(.status(200, fields: FieldList(cookies.map { FieldList.Field("Set-Cookie", $0) })))
        return server
    }

    private func cookies(_ server: TestServer) -> [[String]] {
        server.requests.map { request in
            request.fields.values("Cookie").flatMap { $0.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) } }.sorted()
        }
    }

    private func get(_ targets: String..., from server: TestServer, with session: Session) async {
        for target in targets { _ = await session.request(server.url(target)).serializingData().response }
    }

    @Test func `a cookie is stored and sent from then on`() async throws {
        let server = try server(setting: "a=1")

        await get("/", "/x", from: server, with: .alone())

        #expect(cookies(server) == [[], ["a=1"]])
    }

    @Test func `several fields set several cookies, dates with commas among them`() async throws {
        let server = try server(setting: "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2; Path=/", "c=3; HttpOnly")

        await get("/", "/x", from: server, with: .alone())

        #expect(cookies(server) == [[], ["a=1", "b=2", "c=3"]])
    }

    @Test func `a cookie is sent below its path only`() async throws {
        let server = try server(setting: "a=1; Path=/in")

        await get("/", "/out", "/in", "/in/side", "/inside", from: server, with: .alone())

        #expect(cookies(server) == [[], [], ["a=1"], ["a=1"], []])
    }

    @Test func `a cookie for https is not sent over http`() async throws {
        let server = try server(setting: "a=1; Secure")

        await get("/", "/", from: server, with: .alone())

        #expect(cookies(server) == [[], []])
    }

    @Test func `a cookie that has expired is removed`() async throws {
        let server = try server(setting: "a=1", "b=2")
        server.enqueue(.status(200, fields: ["Set-Cookie": "a=; Max-Age=0", "Set-Cookie": "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]))

        await get("/", "/", "/", from: server, with: .alone())

        #expect(cookies(server) == [[], ["a=1", "b=2"], []])
    }

    @Test(arguments: ["example.com", ".example.com", "com"])
    func `a server cannot set a cookie for somebody else`(domain: String) async throws {
        let server = try server(setting: "a=1; Domain=\(domain)")
        let session = Session.alone()

        await get("/", from: server, with: session)

        let storage = try #require(session.sessionConfiguration.httpCookieStorage)
        #expect(storage.cookies(for: URL(string: "http://example.com/")!)?.isEmpty != false)
        #expect(storage.cookies(for: URL(string: "http://www.example.com/")!)?.isEmpty != false)
    }

    @Test(arguments: [
        ("a=1", true), ("a=1; Domain=www.example.com", true), ("a=1; Domain=example.com", true), ("a=1; Domain=.example.com", true),
        ("a=1; Domain=com", false), ("a=1; Domain=.com", false), ("a=1; Domain=other.com", false), ("a=1; Domain=ple.com", false),
        ("a=1; Domain=a.www.example.com", false),
    ])
    func `a cookie may be set for the host and what is above it, but for no top-level domain`(value: String, isSet: Bool) throws {
        let url = try #require(URL(string: "http://www.example.com/"))

        #expect(CookieRules.cookies(in: value, from: url).isEmpty == !isSet)
    }

    @Test(arguments: [
        ("/", "/", true), ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/ab", false), ("/a/", "/a", false),
        ("/a/", "/a/b", true), ("/", "", true), ("/A", "/a", false),
    ])
    func `paths match as RFC 6265 says`(cookiePath: String, path: String, matches: Bool) {
        #expect(CookieRules.isPath(cookiePath, above: path) == matches)
    }

    @Test func `Max-Age goes before Expires and ends a cookie's life`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        let now = Date(timeIntervalSince1970: 1_000_000)

        let cookies = ["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=1; Max-Age=0", "a=1; Max-Age=-5", "a=1; Max-Age=x"]
            .flatMap { CookieRules.cookies(in: $0, from: url, now: now) }

        #expect(cookies.map { $0.expiresDate?.timeIntervalSince1970 } == [1_000_060, 0, 0, nil])
    }

    @Test func `a cookie of one host is not sent to another`() async throws {
        let server = try server(setting: "a=1")
        let session = Session.alone()

        await get("/", from: server, with: session)
        _ = await session.request("http://localhost:\(server.port)/").serializingData().response

        #expect(cookies(server) == [[], []])
    }

    @Test func `the caller's own Cookie field is sent as it is`() async throws {
        let server = try server(setting: "a=1")
        let session = Session.alone()

        await get("/", from: server, with: session)
        _ = await session.request(server.url("/"), headers: ["Cookie": "mine=2"]).serializingData().response

        #expect(cookies(server) == [[], ["mine=2"]])
    }

    @Test func `a cookie of a redirecting response is sent with the redirect`() async throws {
        let server = try TestServer { _ in .ok }
        server.enqueue(.status(302, fields: ["Set-Cookie": "a=1", "Location": "/z"]))

        await get("/", from: server, with: .alone())

        #expect(cookies(server) == [[], ["a=1"]])
    }

    // MARK: What switches them off

    @Test func `httpShouldSetCookies false stores cookies and sends none`() async throws {
        let server = try server(setting: "a=1")
        let session = Session.alone { $0.httpShouldSetCookies = false }

        await get("/", "/", from: server, with: session)

        #expect(cookies(server) == [[], []])
        #expect(session.sessionConfiguration.httpCookieStorage?.cookies?.map(\.name) == ["a"])
    }

    @Test func `a request that does not handle cookies neither sends nor stores them`() async throws {
        let server = try server(setting: "a=1")
        let session = Session.alone()
        var urlRequest = URLRequest(url: server.url("/"))
        urlRequest.httpShouldHandleCookies = false

        _ = await session.request(urlRequest).serializingData().response
        await get("/", from: server, with: session)
        server.enqueue(.status(200, fields: ["Set-Cookie": "b=1"]))
        await get("/", from: server, with: session)
        _ = await session.request(urlRequest).serializingData().response

        #expect(cookies(server) == [[], [], [], []])
    }

    @Test func `the policy never stores none`() async throws {
        let server = try server(setting: "a=1")
        let session = Session.alone { $0.httpCookieAcceptPolicy = .never }

        await get("/", "/", from: server, with: session)

        #expect(cookies(server) == [[], []])
    }

    @Test func `the policy of the main document's domain refuses what comes from elsewhere`() async throws {
        let server = try TestServer { _ in .status(200, fields: ["Set-Cookie": "a=1"]) }
        let session = Session.alone { $0.httpCookieAcceptPolicy = .onlyFromMainDocumentDomain }
        var urlRequest = URLRequest(url: server.url("/"))

        urlRequest.mainDocumentURL = URL(string: "http://example.com/")
        _ = await session.request(urlRequest).serializingData().response
        _ = await session.request(urlRequest).serializingData().response
        urlRequest.mainDocumentURL = server.url("/")
        _ = await session.request(urlRequest).serializingData().response
        _ = await session.request(urlRequest).serializingData().response

        #expect(cookies(server) == [[], [], [], ["a=1"]])
    }

    @Test func `a configuration without a storage has no cookies`() async throws {
        let server = try server(setting: "a=1")
        let session = Session.alone { $0.httpCookieStorage = nil }

        await get("/", "/", from: server, with: session)

        #expect(cookies(server) == [[], []])
    }
}

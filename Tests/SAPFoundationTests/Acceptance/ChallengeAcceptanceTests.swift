// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import SAPFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The acceptance tests about who gets which credential, by number.
@Suite(.timeLimit(.minutes(1)))
struct ChallengeAcceptanceTests {
    /// libcurl's engine can do what Foundation's on Linux cannot: proxies, fixed addresses.
    static let reachesProxies = DefaultTransport.make().capabilities.contains(.proxies)
    static let resolvesNames = DefaultTransport.make().capabilities.contains(.customResolve)

    private func observer(
        _ store: any BasicCredentialStoring, _ discovery: any BasicCredentialDiscovery = ScriptedDiscovery(.success(.alice))
    ) -> BasicAuthenticationObserver {
        BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: store)
    }

    @Test func `10: a redirect to a host that asks: only that host sees the credential, and nothing of the caller's own`() async throws {
        let second = try TestServer.guarded()
        let first = try TestServer { [target = second.url("/there").absoluteString] _ in .redirect(to: target) }
        let store = RecordingStore()
        let session = SAPURLSession()
        session.register(observer(store))
        var request = URLRequest(url: first.url("/here"))
        request.setValue("Bearer caller-token", forHTTPHeaderField: "Authorization")
        request.setValue("caller-csrf", forHTTPHeaderField: "X-CSRF-Token")

        let outcome = await session.outcome(of: request)

        #expect(outcome.status == 200)
        #expect(first.requests.map(\.authorization) == [["Bearer caller-token"]])
        #expect(second.requests.map(\.authorization) == [[], [RecordedRequest.basic("alice", "correct-horse")]])
        #expect(second.requests.allSatisfy { $0.fields.values("X-CSRF-Token").isEmpty })
        #expect(store.events == [.read(second.url("/there")), .store(.alice, second.url("/there"))])
    }

    @Test(arguments: [
        ["Bearer realm=\"api\", error=\"invalid_token\", Basic realm=\"a,b\""],
        ["Bearer realm=\"api\"", "bAsIc ReAlM=\"a,b\""],
        ["Unknown abcDEF123==, BASIC realm=\"a\\,b\" , charset=\"UTF-8\""],
    ])
    func `11: a Basic challenge is found among others, in any form`(fields: [String]) async throws {
        let server = try TestServer { request in
            if !request.authorization.isEmpty { return .ok }
            return fields.reduce(.status(401)) { $0.field("WWW-Authenticate", $1) }
        }
        let spaces = EventRecorder<String?>()
        let session = SAPURLSession()
        let looking = RecordingObserver("looking")
        looking.onChallenge = { challenge in
            spaces.record(challenge.protectionSpace.realm)
            return .performDefaultHandling
        }
        session.register(looking)
        session.register(observer(RecordingStore()))

        #expect(await session.outcome(of: server.url("/")).status == 200)
        #expect(spaces.events == ["a,b"])
    }

    @Test func `11: a Digest challenge alone is not Basic's: an ordinary 401`() async throws {
        let server = try TestServer { _ in
            .status(401, fields: ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\", qop=\"auth\", algorithm=SHA-256"], "no")
        }
        let store = RecordingStore()
        let session = SAPURLSession()
        session.register(observer(store))

        let outcome = await session.outcome(of: server.url("/"))

        #expect(outcome.status == 401)
        #expect(outcome.text == "no")
        #expect(store.events.isEmpty)
        #expect(server.requestCount == 1)
    }

    @Test func `11: a Digest challenge is answered with the credential that an observer gives for it`() async throws {
        let server = try TestServer { request in
            request.authorization.first?.hasPrefix("Digest ") == true
                ? .ok : .status(401, fields: ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\", qop=\"auth\", algorithm=SHA-256"])
        }
        let session = SAPURLSession()
        let giving = RecordingObserver("giving")
        giving.onChallenge = { challenge in
            challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPDigest
                ? .use(URLCredential(user: "alice", password: "correct-horse", persistence: .none)) : .performDefaultHandling
        }
        session.register(giving)

        #expect(await session.outcome(of: server.url("/")).status == 200)
        #expect(server.requests[1].authorization[0].contains("username=\"alice\""))
    }

    @Test(.enabled(if: reachesProxies)) func `12: a proxy's credential is kept under the proxy's URL, not the server's`() async throws {
        let proxy = try TestServer { request in
            guard request.fields.values("Proxy-Authorization") == [RecordedRequest.basic("alice", "correct-horse")] else {
                return .status(407, fields: ["Proxy-Authenticate": "Basic realm=\"Proxy\""])
            }
            return .ok("for \(request.target)")
        }
        var connections = TransportConfiguration()
        connections.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: proxy.port), except: [])
        let session = SAPURLSession(connections: connections)
        let store = RecordingStore()
        session.register(observer(store))

        let outcome = await session.outcome(of: try #require(URL(string: "http://origin.example/a")))

        let proxyURL = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        #expect(outcome.text == "for http://origin.example/a")
        #expect(store.events == [.read(proxyURL), .store(.alice, proxyURL)])
        #expect(proxy.requests.allSatisfy { $0.authorization.isEmpty })
    }

    @Test(.enabled(if: reachesProxies)) func `12: a proxy that asks before it opens a tunnel gets its credential, and nobody else does`()
        async throws
    {
        let proxy = try TestServer { request in
            guard request.fields.values("Proxy-Authorization") == [RecordedRequest.basic("alice", "correct-horse")] else {
                return .status(407, fields: ["Proxy-Authenticate": "Basic realm=\"Proxy\""])
            }
            return .status(502, "no such host")
        }
        var connections = TransportConfiguration()
        connections.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: proxy.port), except: [])
        let session = SAPURLSession(connections: connections)
        let store = RecordingStore()
        session.register(observer(store))

        let outcome = await session.outcome(of: try #require(URL(string: "https://origin.example/a")))

        let proxyURL = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        #expect(outcome.error is URLError)
        #expect(proxy.requests.map(\.method) == ["CONNECT", "CONNECT"])
        #expect(proxy.requests.map { $0.fields.values("Proxy-Authorization").count } == [0, 1])
        #expect(store.events == [.read(proxyURL)])
    }

    @Test(
        .enabled(
            if: reachesProxies && StartedServer.proxyWithPassword.isExpected && StartedServer.https.isExpected,
            "needs nginx and tinyproxy: run Scripts/test"))
    func `12: a real proxy asks before it opens the tunnel, then the server behind it: two exchanges, two keys`() async throws {
        let proxyURL = try StartedServer.proxyWithPassword.url
        let url = try StartedServer.https.url.appendingPathComponent("basic/message.json")
        var connections = TransportConfiguration()
        connections.tls.authorities = .pemFile(try StartedServer.file("CA_FILE"))
        connections.proxy = .proxy(
            ProxyServer(host: try #require(proxyURL.host), port: try #require(proxyURL.port)), except: [])
        let credential = BasicCredential(username: try StartedServer.value("USER_NAME"), password: try StartedServer.value("PASSWORD"))
        let discovery = ScriptedDiscovery(.success(credential))
        let store = RecordingStore()
        let session = SAPURLSession(connections: connections)
        session.register(observer(store, discovery))

        #expect(await session.outcome(of: url).status == 200)
        let key = try #require(URL(string: "\(proxyURL.absoluteString)/"))
        #expect(discovery.questions.events == [.init(url: key, failures: 0), .init(url: url, failures: 0)])
        #expect(Set(store.contents.keys) == [key, url])
    }

    @Test(.enabled(if: resolvesNames)) func `13: no password goes in the clear to another machine, unless that is allowed`() async throws {
        let server = try TestServer.guarded()
        var connections = TransportConfiguration()
        connections.resolvedAddresses = ["api.example:\(server.port)": ["127.0.0.1"]]
        let session = SAPURLSession(connections: connections)
        let discovery = ScriptedDiscovery(.success(.alice))
        let observer = observer(RecordingStore(), discovery)
        session.register(observer)
        let url = try #require(URL(string: "http://api.example:\(server.port)/orders"))

        let outcome = await session.outcome(of: url)
        guard case .insecureTransport(url)? = outcome.error as? BasicAuthenticationError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(outcome.status == 401)
        #expect(discovery.questions.events.isEmpty)

        observer.allowsPlaintextTransport = true
        #expect(await session.outcome(of: url).status == 200)
    }

    @Test func `user information in the URL goes first; once refused, the observer is asked and told so`() async throws {
        let server = try TestServer.guarded()
        let store = RecordingStore()
        let discovery = ScriptedDiscovery(.success(.alice))
        let session = SAPURLSession()
        session.register(observer(store, discovery))
        let url = try #require(URL(string: "http://bob:nonsense@127.0.0.1:\(server.port)/"))

        #expect(await session.outcome(of: url).status == 200)
        #expect(discovery.questions.events == [.init(url: server.url("/"), failures: 1)])
        #expect(store.changes == [.store(.alice, server.url("/"))])
    }
}

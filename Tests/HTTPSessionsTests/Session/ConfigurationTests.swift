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
struct ConfigurationTests {
    @Test func `the configuration's fields are sent unless the request sets its own`() async throws {
        let server = try TestServer { _ in .ok }
        let session = Session.alone { $0.httpAdditionalHeaders = ["X-Shared": "shared", "X-Other": "other"] }

        _ = await session.request(server.url("/"), headers: ["x-shared": "own"]).serializingData().response

        #expect(server.requests[0].fields.values("X-Shared") == ["own"])
        #expect(server.requests[0].fields.values("X-Other") == ["other"])
    }

    @Test func `what is done to a configuration after the session was made does not reach it`() async throws {
        let server = try TestServer { _ in .ok }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Shared": "before"]
        let session = Session(configuration: configuration)
        configuration.httpAdditionalHeaders = ["X-Shared": "after"]

        let request = session.request(server.url("/"))
        _ = await request.serializingData().response

        #expect(server.requests[0].fields.values("X-Shared") == ["before"])
        #expect(session.sessionConfiguration.headers["X-Shared"] == "before")
        #expect(request.cURLDescription().contains("X-Shared: before"))
    }

    @Test func `only content codings that are undone are asked for`() async throws {
        let server = try TestServer { _ in .ok }
        let session = Session.alone()

        _ = await session.request(server.url("/")).serializingData().response

        let asked = server.requests[0].fields.values("Accept-Encoding").joined(separator: ",")
            .split(separator: ",").map { $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces) }
        let undone = Set(
            (session.transport.acceptedContentCodings ?? "").split(separator: ",").map {
                $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            })
        #expect(Set(asked).isSubset(of: undone))
    }

    @Test(
        arguments: [
            (.useProtocolCachePolicy, .useProtocolCachePolicy, []), (.reloadIgnoringLocalCacheData, .useProtocolCachePolicy, []),
            (.reloadIgnoringLocalAndRemoteCacheData, .useProtocolCachePolicy, ["no-cache"]),
            (.reloadRevalidatingCacheData, .useProtocolCachePolicy, ["max-age=0"]),
            (.useProtocolCachePolicy, .reloadRevalidatingCacheData, ["max-age=0"]),
            (.reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData, ["no-cache"]),
        ] as [(URLRequest.CachePolicy, URLRequest.CachePolicy, [String])])
    func `a cache policy is told to the caches on the way`(
        policy: URLRequest.CachePolicy, ofConfiguration: URLRequest.CachePolicy, sent: [String]
    ) async throws {
        let server = try TestServer { _ in .ok }
        let session = Session.alone { $0.requestCachePolicy = ofConfiguration }
        var urlRequest = URLRequest(url: server.url("/"))
        urlRequest.cachePolicy = policy

        _ = await session.request(urlRequest).serializingData().response

        #expect(server.requests.map { $0.fields.values("Cache-Control") } == [sent])
    }

    @Test func `what the caller tells caches is left alone`() async throws {
        let server = try TestServer { _ in .ok }
        let session = Session.alone()
        var urlRequest = URLRequest(url: server.url("/"))
        urlRequest.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        urlRequest.headers = ["cache-control": "no-store"]

        _ = await session.request(urlRequest).serializingData().response

        #expect(server.requests.map { $0.fields.values("Cache-Control") } == [["no-store"]])
    }

    @Test func `a request that only a cache may answer is not sent`() async throws {
        let server = try TestServer { _ in .ok }
        let session = Session.alone()
        var urlRequest = URLRequest(url: server.url("/"))
        urlRequest.cachePolicy = .returnCacheDataDontLoad

        let error = await session.request(urlRequest).serializingData().response.error

        #expect((error?.underlyingError as? URLError)?.code == .resourceUnavailable)
        #expect(server.requestCount == 0)
    }

    @Test func `the request's time limit ends a silent transfer`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let session = Session.alone { $0.timeoutIntervalForRequest = 30 }
        var urlRequest = URLRequest(url: server.url("/"))
        urlRequest.timeoutInterval = 0.2

        let error = await session.request(urlRequest).serializingData().response.error

        #expect(error?.httpError?.kind == .idleTimedOut)
        #expect((error?.underlyingError as? URLError)?.code == .timedOut)
        gate.open()
    }

    @Test func `the configuration's time limit stands for requests without one`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let session = Session.alone { $0.timeoutIntervalForRequest = 0.2 }

        let error = await session.request(server.url("/")).serializingData().response.error

        #expect(error?.httpError?.kind == .idleTimedOut)
        gate.open()
    }

    @Test func `the limit for the whole exchange holds over redirects`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in
            request.path == "/" ? .redirect(to: "/next") : .ok.stalled(by: gate)
        }
        let session = Session.alone { $0.timeoutIntervalForResource = 0.3 }

        let error = await session.request(server.url("/")).serializingData().response.error

        #expect(error?.httpError?.kind == .resourceTimedOut)
        gate.open()
        #expect(server.requestCount < 20)
    }

    @Test(arguments: [(0, nil), (-1, nil), (.infinity, nil), (.nan, nil), (0.5, 0.5), (60, 90)] as [(Double, Double?)])
    func `time limits that are none set none`(interval: Double, seconds: Double?) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 90
        let settings = ExchangeSettings(configuration, acceptedContentCodings: nil)
        var urlRequest = URLRequest(url: try #require(URL(string: "http://a.test/")))
        urlRequest.timeoutInterval = interval

        #expect(settings.timeouts(for: urlRequest).idle == seconds.map { .seconds($0) })
    }

    @Test func `no more connections are opened than the configuration says`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let session = Session.alone { $0.httpMaximumConnectionsPerHost = 2 }

        let tasks = (0..<6).map { session.request(server.url("/\($0)")).serializingData() }
        try await server.waitForRequests(count: 2)
        gate.open()
        for task in tasks { _ = await task.response }

        #expect(server.requestCount == 6)
        #expect(server.connectionCount == 2)
    }

    @Test func `collected content has a limit`() async throws {
        let server = try TestServer { _ in .repeating(Data("x".utf8), count: 10_000) }
        var limits = SessionLimits()
        limits.collectedBytes = 9_999
        let session = Session(transport: DefaultTransport.make(), configuration: .ephemeral, limits: limits)

        let error = await session.request(server.url("/")).serializingData().response.error

        #expect(error?.httpError?.kind == .contentTooLarge)
        #expect((error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
    }

    @Test func `the dictionary of proxies is read with its exceptions`() {
        let policy = ProxyPolicy([
            "HTTPEnable": 1, "HTTPProxy": "p.test", "HTTPPort": 3128, "HTTPSEnable": 0, "HTTPSProxy": "q.test", "SOCKSProxy": "s.test",
            "ExceptionsList": ["*.a.test", "b.test"],
        ])

        guard case .perScheme(let http, let https, let exceptions) = policy else {
            Issue.record("another policy: \(policy)")
            return
        }
        #expect(http?.host == "p.test" && http?.port == 3128)
        #expect(https?.host == "s.test" && https?.kind == .socks5Hostname)
        #expect(exceptions == [".a.test", "b.test"])
    }
}

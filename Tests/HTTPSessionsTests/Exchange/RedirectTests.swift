// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(
    .timeLimit(.minutes(1)), .enabled(if: Session.capabilities.contains(.unfollowedResponses), "the engine follows redirects by itself"))
struct RedirectTests {
    private let session = Session.alone()

    /// Redirects `/` with `status` to `/z`, and answers what it was sent there.
    private func server(_ status: Int = 302, to location: String = "/z") throws -> TestServer {
        try TestServer { request in
            request.path == "/" ? .redirect(to: location, status: status) : .ok("\(request.method) \(request.bodyText)")
        }
    }

    @Test(arguments: [(301, "GET "), (302, "GET "), (303, "GET "), (307, "POST text"), (308, "POST text")])
    func `a POST is repeated only after 307 and 308`(status: Int, answer: String) async throws {
        let server = try server(status)

        let request = session.upload(Data("text".utf8), to: server.url("/"))

        #expect(try await request.serializingString().value == answer)
        #expect(server.requests.map(\.target) == ["/", "/z"])
        #expect(server.requests[1].fields.contains("Content-Length") == (status >= 307))
    }

    @Test func `a file is sent again from its start`() async throws {
        let folder = try TemporaryFolder()
        let server = try server(307)

        let request = session.upload(try folder.file("a.txt", "from a file"), to: server.url("/"), method: .put)

        #expect(try await request.serializingString().value == "PUT from a file")
        #expect(server.requests.map(\.bodyText) == ["from a file", "from a file"])
    }

    @Test(.enabled(if: Session.capabilities.contains(.streamedBodies), "the engine reads a stream before it sends"))
    func `a stream that would have to be sent again is an error that says so`() async throws {
        let server = try server(307)

        let request = session.upload(InputStream(data: Data("once".utf8)), to: server.url("/"))
        let error = await request.serializingString().response.error

        #expect(error?.httpError?.kind == .bodyNotReplayable)
        #expect((error?.underlyingError as? URLError)?.code == .requestBodyStreamExhausted)
        #expect(server.requests.map(\.target) == ["/"])
    }

    @Test func `a stream does not stand in the way of a redirect to GET`() async throws {
        let server = try server(303)

        let request = session.upload(InputStream(data: Data("once".utf8)), to: server.url("/"))

        #expect(try await request.serializingString().value == "GET ")
    }

    @Test func `a circle ends after twenty redirects`() async throws {
        let server = try server(302, to: "/")

        let error = await session.request(server.url("/")).serializingData().response.error

        #expect(error?.httpError?.kind == .redirectLimitReached)
        #expect((error?.underlyingError as? URLError)?.code == .httpTooManyRedirects)
        #expect(server.requestCount == 21)
    }

    @Test func `a redirect to a file is refused`() async throws {
        let server = try server(302, to: "file:///etc/passwd")

        let response = await session.request(server.url("/")).serializingData().response

        #expect(response.error?.httpError?.kind == .unsupportedScheme)
        #expect(response.data == nil)
    }

    @Test func `the response knows the URL that it came from`() async throws {
        let server = try server(302, to: "/z?b=2")

        let request = session.request(server.url("/?a=1"))
        _ = await request.serializingData().response

        #expect(request.response?.url?.absoluteString == server.url("/z?b=2").absoluteString)
        #expect(request.request?.url == server.url("/?a=1"))
    }

    @Test func `the content of a redirecting response is not progress`() async throws {
        let server = try TestServer { request in
            request.path == "/"
                ? .status(302, fields: ["Location": "/z"], String(repeating: "x", count: 5000)) : .ok("")
        }

        let request = session.request(server.url("/"))
        let progress = request.downloadProgress
        _ = await request.serializingData(emptyResponseCodes: [200]).response

        #expect(progress.completedUnitCount == 0)
        #expect(progress.totalUnitCount <= 0)
    }

    @Test func `the request's own credential is not for where a redirect leads`() async throws {
        let other = try TestServer { _ in .status(401, fields: ["WWW-Authenticate": #"Basic realm="theirs""#]) }
        let server = try TestServer { _ in .redirect(to: other.url("/").absoluteString) }

        let request = session.request(server.url("/")).authenticate(username: "user", password: "secret")
        let response = await request.serializingData().response

        #expect(response.response?.statusCode == 401)
        #expect(other.requests.map { $0.fields.values("Authorization") } == [[]])
    }

    @Test func `cookies for one host are not sent to another`() async throws {
        let other = try TestServer { _ in .ok }
        let target = "http://localhost:\(other.port)/"
        let server = try TestServer { _ in .status(302, fields: ["Set-Cookie": "a=1", "Location": target]) }

        _ = await session.request(server.url("/")).serializingData().response

        #expect(other.requests.map { $0.fields.values("Cookie") } == [[]])
    }

    // MARK: Handlers

    @Test func `a handler that does not follow delivers the redirect`() async throws {
        let server = try TestServer { _ in .status(302, fields: ["Location": "/z"], "moved") }

        let request = session.request(server.url("/")).redirect(using: .doNotFollow)
        let response = await request.serializingString().response

        #expect(response.value == "moved")
        #expect(response.response?.statusCode == 302)
        #expect(server.requests.map(\.target) == ["/"])
    }

    @Test func `the request's handler stands before the session's`() async throws {
        let server = try server()
        let session = Session.alone(redirectHandler: .doNotFollow)

        let followed = session.request(server.url("/")).redirect(using: .follow)
        let delivered = session.request(server.url("/"))

        #expect(try await followed.serializingString().value == "GET ")
        #expect(await delivered.serializingString().response.response?.statusCode == 302)
    }

    @Test func `a handler may change where it goes and what it carries`() async throws {
        let server = try server()
        let handler = Redirector(
            behavior: .modify { _, request, response in
                var request = request
                request.url = request.url?.appendingPathComponent("further")
                request.setValue("\(response.statusCode)", forHTTPHeaderField: "X-Redirected")
                return request
            })

        _ = await session.request(server.url("/")).redirect(using: handler).serializingData().response

        #expect(server.requests.map(\.target) == ["/", "/z/further"])
        #expect(server.requests[1].fields.values("X-Redirected") == ["302"])
    }

    /// Answers on another queue, twice.
    private struct LateHandler: RedirectHandler {
        let answers: [URLRequest?]
        func task(
            _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) {
            DispatchQueue.global().async {
                if answers.isEmpty { completion(request) }
                for answer in answers { completion(answer) }
            }
        }
    }

    @Test func `a handler may take its time`() async throws {
        let server = try server()

        let text = try await session.request(server.url("/")).redirect(using: LateHandler(answers: [])).serializingString().value

        #expect(text == "GET ")
    }

    @Test func `a handler's second answer is ignored`() async throws {
        let server = try server()
        let handler = LateHandler(answers: [URLRequest(url: server.url("/first")), URLRequest(url: server.url("/second"))])

        let text = try await session.request(server.url("/")).redirect(using: handler).serializingString().value

        #expect(text == "GET ")
        #expect(server.requests.map(\.target) == ["/", "/first"])
    }

    /// Never answers, and says when it was asked.
    private struct SilentHandler: RedirectHandler {
        let asked: EventRecorder<String>
        func task(
            _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) { asked.record(request.url?.path ?? "") }
    }

    @Test func `a request whose handler is silent can be cancelled`() async throws {
        let server = try server()
        let asked = EventRecorder<String>()

        let request = session.request(server.url("/")).redirect(using: SilentHandler(asked: asked))
        let task = request.serializingData()
        #expect(try await asked.wait(for: 1) == ["/z"])
        request.cancel()

        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct RequestLifecycleTests {
    private let session = Session()

    @Test func `a GET brings status, fields and content`() async throws {
        let server = try TestServer { _ in .ok("hello", fields: ["X-Answer": "42"]) }

        let response = await session.request(server.url("/greeting?a=1")).serializingString().response

        #expect(response.value == "hello")
        #expect(response.response?.statusCode == 200)
        #expect(response.response?.value(forHTTPHeaderField: "x-answer") == "42")
        #expect(server.requests.map(\.target) == ["/greeting?a=1"])
        #expect(server.requests[0].fields.values("User-Agent").count == 1)
    }

    @Test func `a POST sends its parameters`() async throws {
        let server = try TestServer { .ok($0.bodyText) }

        let text = try await session.request(server.url("/"), method: .post, parameters: ["b": 2, "a": "x y"]).serializingString().value

        #expect(text == "a=x%20y&b=2")
        #expect(server.requests[0].fields.values("Content-Length") == ["11"])
        #expect(server.requests[0].fields.values("Content-Type") == ["application/x-www-form-urlencoded; charset=utf-8"])
    }

    @Test func `adapters run in order, the session's first, and see each other's work`() async throws {
        let server = try TestServer { _ in .ok }
        func adding(_ word: String) -> Adapter {
            Adapter { request, _, completion in
                var request = request
                request.setValue((request.value(forHTTPHeaderField: "X-Way") ?? "") + word, forHTTPHeaderField: "X-Way")
                completion(.success(request))
            }
        }
        let session = Session(interceptor: adding("1"))

        _ = await session.request(server.url("/"), interceptor: Interceptor(adapters: [adding("2"), adding("3")])).serializingData()
            .response

        #expect(server.requests.map { $0.fields.values("X-Way") } == [["123"]])
    }

    @Test func `a retrier sends the whole attempt again`() async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .serviceUnavailable, .ok("at last"))
        let session = Session(
            interceptor: Retrier { request, _, _, completion in completion(request.retryCount < 5 ? .retry : .doNotRetry) })

        let request = session.request(server.url("/")).validate()
        let text = try await request.serializingString().value

        #expect(text == "at last")
        #expect(request.retryCount == 2)
        #expect(request.performedRequests.count == 3)
        #expect(request.allMetrics.count <= 3)
    }

    @Test func `a request that is cancelled before it is resumed fails without being sent`() async throws {
        let server = try TestServer { _ in .ok }
        let session = Session(startRequestsImmediately: false)

        let request = session.request(server.url("/"))
        request.cancel()
        let response = await request.serializingData().response

        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(server.requestCount == 0)
    }

    @Test func `a request in flight can be cancelled`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }

        let task = session.request(server.url("/")).serializingData()
        try await server.waitForRequests(count: 1)
        task.cancel()

        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        gate.open()
    }

    @Test func `a suspended request is sent when it is resumed`() async throws {
        let server = try TestServer { _ in .ok("late") }
        let session = Session(startRequestsImmediately: false)

        let request = session.request(server.url("/")).suspend()
        #expect(request.isSuspended)
        #expect(try await request.serializingString().value == "late")
        #expect(request.isFinished)
    }

    @Test func `an unreachable server is a URLError inside an AFError`() async throws {
        let port = try UnusedPort()

        let response = await session.request(port.url()).serializingData().response
        withExtendedLifetime(port) {}

        #expect((response.error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
        #expect(response.error?.isSessionTaskError == true)
    }

    @Test func `a redirect is followed and keeps no credentials for another origin`() async throws {
        let other = try TestServer { _ in .ok("there") }
        let server = try TestServer { _ in .redirect(to: other.url("/there").absoluteString) }

        var request = URLRequest(url: server.url("/"))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        let text = try await session.request(request).serializingString().value

        #expect(text == "there")
        #expect(server.requests[0].fields.values("Authorization") == ["Bearer secret"])
        #expect(other.requests[0].fields.values("Authorization").isEmpty)
    }

    @Test func `a Basic challenge is answered with the request's credential`() async throws {
        let server = try TestServer { request in
            request.fields.values("Authorization").isEmpty
                ? .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#]) : .ok("in")
        }

        let text = try await session.request(server.url("/")).authenticate(username: "user", password: "passwd").serializingString().value

        #expect(text == "in")
        #expect(server.requests.map { $0.fields.values("Authorization") } == [[], ["Basic dXNlcjpwYXNzd2Q="]])
    }

    @Test func `a download lands at its destination`() async throws {
        let server = try TestServer { _ in .ok(Data(repeating: 7, count: 300_000)) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-test-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appendingPathComponent("a/b.bin")

        let request = session.download(server.url("/"), to: { _, _ in (place, [.createIntermediateDirectories]) })
        let url = try await request.serializingDownloadedFileURL().value

        #expect(url == place)
        #expect(try Data(contentsOf: place).count == 300_000)
        #expect(request.downloadProgress.fractionCompleted == 1)
    }

    @Test func `a form is streamed from its parts`() async throws {
        let server = try TestServer { .ok($0.bodyText) }
        let form = MultipartFormData(boundary: "b")
        form.append(Data("one".utf8), withName: "first")

        let request = session.upload(multipartFormData: form, to: server.url("/"), usingThreshold: 0)
        let text = try await request.serializingString().value

        #expect(text == "--b\r\nContent-Disposition: form-data; name=\"first\"\r\n\r\none\r\n--b--\r\n")
        #expect(server.requests[0].fields.values("Content-Length") == ["\(text.utf8.count)"])
    }

    @Test func `a stream hands on every piece and then the end`() async throws {
        let server = try TestServer { _ in .chunked(["one ", "two ", "three"]) }

        var text = ""
        var isComplete = false
        for await stream in session.streamRequest(server.url("/")).streamTask().streamingStrings() {
            switch stream.event {
            case .stream(.success(let piece)): text += piece
            case .complete(let completion):
                isComplete = true
                #expect(completion.error == nil)
            }
        }

        #expect(text == "one two three")
        #expect(isComplete)
    }
}

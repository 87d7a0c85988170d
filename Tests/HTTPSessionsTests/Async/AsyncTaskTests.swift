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
struct AsyncTaskTests {
    private let session = Session.alone()

    @Test func `a value that is decoded arrives`() async throws {
        let server = try TestServer { _ in .json("[1, 2]") }

        #expect(try await session.request(server.url("/")).serializingDecodable([Int].self).value == [1, 2])
    }

    @Test func `any number of tasks may wait for one result, and ask again later`() async throws {
        let server = try TestServer { _ in .ok("once") }
        let task = session.request(server.url("/")).serializingString()

        let values = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try? await task.value } }
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(values == Array(repeating: "once", count: 20))
        #expect(try await task.value == "once")
        #expect(server.requestCount == 1)
    }

    @Test func `tasks and heads of responses are sequences that end with the request`() async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .ok("text"))
        let session = Session.alone(
            interceptor: Retrier { request, _, _, completion in completion(request.retryCount == 0 ? .retry : .doNotRetry) })
        let request = session.request(server.url("/")).validate()
        let (tasks, responses) = (request.urlSessionTasks(), request.httpResponses())

        _ = await request.serializingString().response

        #expect(await responses.reduce(into: []) { $0.append($1.statusCode) } == [503, 200])
        #expect(await tasks.reduce(into: 0) { count, _ in count += 1 } == 2)
    }

    @Test func `cancelling the task that waits cancels the request`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let request = session.request(server.url("/"))

        let waiting = Task { await request.serializingData().response }
        try await server.waitForRequests(count: 1)
        waiting.cancel()

        #expect(await waiting.value.error?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
        gate.open()
    }

    @Test func `a task that is cancelled before it waits cancels the request`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let request = session.request(server.url("/"))

        let waiting = Task {
            while !Task.isCancelled { await Task.yield() }
            return await request.serializingData().response
        }
        waiting.cancel()

        #expect(await waiting.value.error?.isExplicitlyCancelledError == true)
        gate.open()
    }

    @Test func `a request that is not to be cancelled with its task goes on`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("anyway").stalled(by: gate) }
        let request = session.request(server.url("/"))

        let waiting = Task { await request.serializingString(automaticallyCancelling: false).response }
        try await server.waitForRequests(count: 1)
        waiting.cancel()
        gate.open()

        #expect(await waiting.value.value == "anyway")
    }

    @Test func `progress is a sequence that ends with the request`() async throws {
        let server = try TestServer { _ in .ok(String(repeating: "x", count: 100_000)) }
        let request = session.request(server.url("/"))
        let progress = request.downloadProgress()

        let task = request.serializingData()
        var counts: [Int64] = []
        for await step in progress { counts.append(step.completedUnitCount) }

        #expect(counts.last == 100_000)
        #expect(counts == counts.sorted())
        _ = await task.response
    }

    @Test func `the requests of all attempts are a sequence`() async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .ok)
        let request = session.request(server.url("/a"), interceptor: Retrier { _, _, _, completion in completion(.retry) }).validate()
        let requests = request.urlRequests()

        let task = request.serializingData(emptyResponseCodes: [200])
        var paths: [String?] = []
        for await urlRequest in requests { paths.append(urlRequest.url?.path) }

        #expect(paths == ["/a", "/a"])
        _ = await task.response
    }

    @Test func `who watches a request takes nobody's progress, which may be asked for when it is under way`() async throws {
        let transport = ManualTransport()
        let session = Session(transport: transport, configuration: .ephemeral, startRequestsImmediately: false)
        let request = session.request("http://a.test/")
        let requests = request.urlRequests()
        request.resume()
        let transfer = try await transport.transfer()
        let counts = EventRecorder<Int64>()
        request.downloadProgress(queue: .global()) { counts.record($0.completedUnitCount) }

        #expect(transfer.options.reportsProgress)
        transfer.respond(200)
        transfer.progress(TransferProgress(bytesSent: 0, bytesToSend: 0, bytesReceived: 7, bytesToReceive: 10))
        #expect(try await counts.wait(for: 1) == [7])

        transfer.finish("content")
        for await _ in requests {}
    }

    // MARK: Streams

    @Test func `leaving the loop over a stream cancels its request`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .chunked(["one", "two"]).stalled(by: gate, at: .responseBody(8)) }
        let request = session.streamRequest(server.url("/"))

        for await stream in request.streamTask().streamingStrings() {
            if case .stream(.success(let text)) = stream.event, text.hasPrefix("one") { break }
        }

        #expect(await eventually { request.isCancelled })
        gate.open()
    }
}

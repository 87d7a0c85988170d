// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What `Request.tasks` shows, over either engine.
@Suite(.timeLimit(.minutes(1)))
struct TransferTaskTests {
    @Test func `a request's task stays the same object from its sending to its end`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("text").stalled(by: gate) }
        let session = Session.alone()
        let created = EventRecorder<TransferTaskReference>()

        let request = session.request(server.url("/path"))
        request.onURLSessionTaskCreation(on: session.rootQueue) { created.record(TransferTaskReference($0)) }
        let response = request.serializingString()
        _ = try await server.waitForRequests(count: 1)
        let underWay = try #require(request.task)
        #expect(underWay.state == .running)
        #expect(underWay.originalRequest?.url == server.url("/path"))
        gate.open()
        _ = await response.response

        let announced = try #require(try await created.wait(for: 1).first).task
        #expect(announced === underWay)
        #expect(request.tasks.count == 1)
        #expect(request.task === underWay)
        #expect(underWay.state == .completed)
        #expect((underWay.response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `an attempt that is sent again has a task of its own, and the first keeps its`() async throws {
        let server = try TestServer { _ in .ok("text") }
        server.enqueue(.serviceUnavailable)
        let session = Session.alone(interceptor: RetryPolicy(exponentialBackoffScale: 0))
        let created = EventRecorder<TransferTaskReference>()

        let request = session.request(server.url("/")).validate()
        request.onURLSessionTaskCreation(on: session.rootQueue) { created.record(TransferTaskReference($0)) }
        _ = await request.serializingString().response

        let announced = try await created.wait(for: 2)
        #expect(request.tasks.count == 2)
        #expect(zip(request.tasks, announced).allSatisfy { $0 === $1.task })
        #expect(request.firstTask !== request.lastTask)
        #expect(request.firstTask?.state == .completed)
    }

    @Test func `a redirect is followed within the same task`() async throws {
        let server = try TestServer { $0.path == "/" ? .redirect(to: "/there") : .ok("text") }
        let session = Session.alone()

        let request = session.request(server.url("/"))
        let value = try await request.serializingString().value

        #expect(value == "text")
        #expect(request.tasks.count == 1)
    }

    @Test func `cancelling the task cancels its request`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("text").stalled(by: gate) }
        let session = Session.alone()

        let request = session.request(server.url("/"))
        let response = request.serializingString()
        _ = try await server.waitForRequests(count: 1)
        request.task?.cancel()

        #expect(await response.response.error?.isExplicitlyCancelledError == true)
        #expect(request.task?.state == .canceling)
        gate.open()
    }
}

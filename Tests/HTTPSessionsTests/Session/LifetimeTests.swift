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
struct LifetimeTests {
    /// A session over a transport of the test's, which nobody else holds.
    private func makeSession(_ transport: ManualTransport, interceptor: (any RequestInterceptor)? = nil) -> Session {
        Session(transport: transport, configuration: .ephemeral, interceptor: interceptor)
    }

    @Test func `a session that is let go of fails its requests and shuts its transport down`() async throws {
        let transport = ManualTransport()
        var session: Session? = makeSession(transport)
        let request = try #require(session?.request("http://a.test/"))
        let task = request.serializingData()
        _ = try await transport.transfer()

        session = nil

        let error = await task.response.error
        #expect(error?.isSessionDeinitializedError == true)
        #expect(transport.shutDowns.events == [true])
    }

    @Test func `a request that is resumed when its session is gone fails at once`() async throws {
        var session: Session? = makeSession(ManualTransport())
        let request = try #require(session?.request("http://a.test/"))

        session = nil

        #expect(await request.serializingData().response.error?.isSessionDeinitializedError == true)
    }

    @Test func `a request whose session goes while a retrier is asked is not lost`() async throws {
        let transport = ManualTransport()
        let answers = EventRecorder<@Sendable (RetryResult) -> Void>()
        let calls = EventRecorder<Bool>()
        // The retrier gets the session, and so it stays until it has answered.
        do {
            let session = makeSession(transport, interceptor: Retrier { _, _, _, completion in answers.record(completion) })
            session.request("http://a.test/").response(queue: .global()) { calls.record($0.error != nil) }
            try await transport.transfer().finish(error: HTTPError(.connectionLost, attempting: "a test", "it was lost"))
            _ = try await answers.wait(for: 1)
        }

        for answer in answers.removeAll() { answer(.retry) }

        #expect(try await calls.wait(for: 1) == [true])
    }

    @Test func `a transport that is shut down is an invalidated session`() async throws {
        let session = Session.alone()
        session.transport.shutDown(cancellingTransfers: true)

        let error = await session.request("http://127.0.0.1:9/").serializingData().response.error

        #expect(error?.isSessionInvalidatedError == true)
    }

    @Test func `requests under way are listed, and can all be cancelled`() async throws {
        let transport = ManualTransport()
        let session = makeSession(transport)
        let tasks = (0..<3).map { session.request("http://a.test/\($0)").serializingData() }
        _ = try await transport.started.wait(for: 3)
        let counts = EventRecorder<Int>()

        session.withAllRequests { counts.record($0.count) }
        session.cancelAllRequests(completingOnQueue: .global()) { counts.record(-1) }
        for task in tasks { #expect(await task.response.error?.isExplicitlyCancelledError == true) }
        session.withAllRequests { counts.record($0.count) }

        #expect(try await counts.wait(for: 3).sorted() == [-1, 0, 3])
    }

    /// What must be gone when the last completion was called.
    private struct Traces {
        let request: WeakReference<Request>
        let session: WeakReference<Session>
        let exchange: WeakReference<Exchange>?
    }

    private func use(_ run: (Session, ManualTransport) async throws -> (Request, Exchange?)) async throws -> Traces {
        let transport = ManualTransport()
        let session = makeSession(transport)
        let (request, exchange) = try await run(session, transport)
        return Traces(request: WeakReference(request), session: WeakReference(session), exchange: exchange.map { WeakReference($0) })
    }

    private func expectGone(_ traces: Traces, sourceLocation: SourceLocation = #_sourceLocation) async {
        #expect(await eventually { traces.request.object == nil }, "the request", sourceLocation: sourceLocation)
        #expect(await eventually { traces.exchange?.object == nil }, "the exchange", sourceLocation: sourceLocation)
        #expect(await eventually { traces.session.object == nil }, "the session", sourceLocation: sourceLocation)
    }

    @Test func `nothing is left of a request that has succeeded`() async throws {
        let traces = try await use { session, transport in
            let request = session.request("http://a.test/")
            let task = request.validate().serializingData()
            let transfer = try await transport.transfer()
            let exchange = request.mutable.withLock { $0.exchange }
            transfer.respond(200)
            transfer.finish("content")
            _ = await task.response
            return (request, exchange)
        }

        await expectGone(traces)
    }

    @Test func `nothing is left of a request that was cancelled`() async throws {
        let traces = try await use { session, transport in
            let request = session.request("http://a.test/")
            let task = request.serializingData()
            _ = try await transport.transfer()
            let exchange = request.mutable.withLock { $0.exchange }
            request.cancel()
            _ = await task.response
            return (request, exchange)
        }

        await expectGone(traces)
    }

    @Test func `nothing is left of a request that failed after a retry and a redirect`() async throws {
        let traces = try await use { session, transport in
            let request = session.request("http://a.test/").retry(
                using: Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) })
            let task = request.serializingData()
            try await transport.transfer().respond(302, ["Location": "/z"])
            try await transport.transfer().finish()
            try await transport.transfer(1).finish(error: HTTPError(.connectionLost, attempting: "a test", "it was lost"))
            let exchange = request.mutable.withLock { $0.exchange }
            try await transport.transfer(2).finish(error: HTTPError(.connectionLost, attempting: "a test", "it was lost"))
            _ = await task.response
            return (request, exchange)
        }

        await expectGone(traces)
    }

    @Test func `closures that hold their request are let go of at its end`() async throws {
        let traces = try await use { session, transport in
            let request = session.request("http://a.test/")
            request
                .validate { [request] _, _, _ in request.isCancelled ? .failure(URLError(.cancelled)) : .success(()) }
                .downloadProgress(queue: .global()) { [request] _ in _ = request.state }
                .onURLRequestCreation(on: .global()) { [request] _ in _ = request.state }
                .onHTTPResponse(on: .global()) { [request] _ in _ = request.state }
                .cURLDescription(on: .global()) { [request] _ in _ = request.state }
            let task = request.response(queue: .global()) { [request] _ in _ = request.state }.serializingData()
            let transfer = try await transport.transfer()
            transfer.respond(200)
            transfer.finish("content")
            _ = await task.response
            return (request, nil)
        }

        await expectGone(traces)
    }

    @Test func `a request that is never resumed is let go of`() async throws {
        let traces = try await use { session, _ in
            (session.request("http://a.test/").validate().cURLDescription(on: .global()) { _ in }, nil)
        }

        await expectGone(traces)
    }

    @Test func `nothing is left of a stream and of a download`() async throws {
        let stream = try await use { session, transport in
            let request = session.streamRequest("http://a.test/")
            let events = EventRecorder<Void>()
            request.responseStream(on: .global()) { [request] stream in
                _ = request.state
                if case .complete = stream.event { events.record(()) }
            }
            let transfer = try await transport.transfer()
            let exchange = request.mutable.withLock { $0.exchange }
            transfer.respond(200)
            _ = transfer.content("content")
            transfer.finish()
            _ = try await events.wait(for: 1)
            return (request, exchange)
        }
        let download = try await use { session, transport in
            let request = session.download("http://a.test/")
            let task = request.serializingData()
            _ = try await transport.transfer()
            let exchange = request.mutable.withLock { $0.exchange }
            request.cancel()
            _ = await task.response
            return (request, exchange)
        }

        await expectGone(stream)
        await expectGone(download)
    }
}

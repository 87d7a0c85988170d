// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Cancelling, suspending and resuming in every phase, in an order that the test fixes.
@Suite(.timeLimit(.minutes(1)))
struct SteeringTests {
    private let transport = ManualTransport()
    private let url = "http://a.test/"

    private func session(interceptor: (any RequestInterceptor)? = nil, startRequestsImmediately: Bool = true) -> Session {
        Session(
            transport: transport, configuration: .ephemeral, startRequestsImmediately: startRequestsImmediately, interceptor: interceptor)
    }

    /// Keeps what interceptors are asked, for the test to answer.
    private final class Questions<Answer>: Sendable {
        let asked = EventRecorder<@Sendable (Answer) -> Void>()
    }

    private func adapter(_ questions: Questions<Result<URLRequest, any Error>>) -> Adapter {
        Adapter { _, _, completion in questions.asked.record(completion) }
    }

    private func retrier(_ questions: Questions<RetryResult>) -> Retrier {
        Retrier { _, _, _, completion in questions.asked.record(completion) }
    }

    // MARK: Cancelling

    @Test func `cancelling while a request is adapted ends it, and the adapter's late answer changes nothing`() async throws {
        let questions = Questions<Result<URLRequest, any Error>>()
        let session = session(interceptor: adapter(questions))

        let task = session.request(url).serializingData()
        let answer = try await questions.asked.wait(for: 1)[0]
        task.cancel()
        let response = await task.response
        answer(.success(URLRequest(url: URL(string: url)!)))

        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(transport.started.events.isEmpty)
    }

    @Test func `an adapter's second answer is ignored`() async throws {
        let questions = Questions<Result<URLRequest, any Error>>()
        let session = session(interceptor: adapter(questions))

        let request = session.request(url)
        let task = request.serializingData()
        let answer = try await questions.asked.wait(for: 1)[0]
        answer(.success(URLRequest(url: URL(string: "http://a.test/first")!)))
        answer(.success(URLRequest(url: URL(string: "http://a.test/second")!)))
        answer(.failure(URLError(.badURL)))
        let transfer = try await transport.transfer()
        transfer.respond(200)
        transfer.finish("content")

        #expect(try await task.value == Data("content".utf8))
        #expect(transport.started.events.map(\.request.url.path) == ["/first"])
    }

    @Test func `cancelling in flight cancels the transfer`() async throws {
        let session = session()
        let request = session.request(url)
        let task = request.serializingData()

        let transfer = try await transport.transfer()
        request.cancel()

        #expect(request.isCancelled)
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(transfer.orders.events == [.cancel])
    }

    @Test func `cancelling between a redirect and its follow-up sends nothing more`() async throws {
        let session = session()
        let request = session.request(url)
        let task = request.serializingData()
        let transfer = try await transport.transfer()

        #expect(transfer.respond(302, ["Location": "/z"]) == "discard")
        request.cancel()

        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(transport.started.events.count == 1)
    }

    @Test func `cancelling while a retrier is asked keeps the error that it was asked about, and its late answer changes nothing`()
        async throws
    {
        let questions = Questions<RetryResult>()
        let session = session(interceptor: retrier(questions))
        let request = session.request(url)
        let task = request.serializingData()
        try await transport.transfer().finish(error: HTTPError(.connectionLost, attempting: "a test", "it was lost"))

        let answer = try await questions.asked.wait(for: 1)[0]
        request.cancel()
        let response = await task.response
        answer(.retry)

        #expect(response.error?.httpError?.kind == .connectionLost)
        #expect(request.isCancelled)
        #expect(request.retryCount == 0)
        #expect(transport.started.events.count == 1)
    }

    @Test func `a retrier's second answer is ignored`() async throws {
        let questions = Questions<RetryResult>()
        let session = session(interceptor: retrier(questions))
        let request = session.request(url)
        let task = request.serializingData()
        try await transport.transfer().finish(error: HTTPError(.connectionLost, attempting: "a test", "it was lost"))

        let answer = try await questions.asked.wait(for: 1)[0]
        answer(.retry)
        answer(.retry)
        answer(.doNotRetry)
        let second = try await transport.transfer(1)
        second.respond(200)
        second.finish("content")

        #expect(try await task.value == Data("content".utf8))
        #expect(request.retryCount == 1)
        #expect(transport.started.events.count == 2)
    }

    @Test func `cancelling while a delayed retry waits ends the request at once`() async throws {
        let asked = EventRecorder<Void>()
        let session = session(
            interceptor: Retrier { _, _, _, completion in
                completion(.retryWithDelay(3600))
                asked.record(())
            })
        let request = session.request(url)
        let task = request.serializingData()
        try await transport.transfer().finish(error: HTTPError(.connectionLost, attempting: "a test", "it was lost"))

        _ = try await asked.wait(for: 1)
        request.cancel()

        #expect(await task.response.error != nil)
        #expect(transport.started.events.count == 1)
    }

    @Test func `cancelling while a retrier judges a serializer's failure completes every handler once`() async throws {
        let questions = Questions<RetryResult>()
        let session = session(interceptor: retrier(questions))
        let calls = EventRecorder<String>()
        let queue = DispatchQueue(label: "test")
        let request = session.request(url)
            .response(queue: queue) { _ in calls.record("first") }
            .responseDecodable(of: [Int].self, queue: queue) { calls.record("second \($0.error?.isResponseSerializationError ?? false)") }
            .response(queue: queue) { _ in calls.record("third") }
        let transfer = try await transport.transfer()
        transfer.respond(200)
        transfer.finish("no json")

        let answer = try await questions.asked.wait(for: 1)[0]
        request.cancel()
        let calledBefore = try await calls.wait(for: 3)
        answer(.retry)

        #expect(calledBefore == ["first", "second true", "third"])
        #expect(transport.started.events.count == 1)
        queue.sync {}
        #expect(calls.events == calledBefore)
    }

    @Test func `cancelling while a retry for a serializer's failure waits completes every handler once`() async throws {
        let asked = EventRecorder<Void>()
        let session = session(
            interceptor: Retrier { _, _, _, completion in
                completion(.retryWithDelay(3600))
                asked.record(())
            })
        let calls = EventRecorder<String>()
        let queue = DispatchQueue(label: "test")
        let request = session.request(url)
            .response(queue: queue) { _ in calls.record("first") }
            .responseDecodable(of: [Int].self, queue: queue) { calls.record("second \($0.error?.isExplicitlyCancelledError ?? false)") }
        let transfer = try await transport.transfer()
        transfer.respond(200)
        transfer.finish("no json")

        _ = try await asked.wait(for: 1)
        request.cancel()

        #expect(try await calls.wait(for: 2) == ["first", "second true"])
    }

    @Test func `cancelling a request that is over changes nothing`() async throws {
        let session = session()
        let request = session.request(url)
        let task = request.serializingData()
        let transfer = try await transport.transfer()
        transfer.respond(200)
        transfer.finish("content")
        _ = await task.response

        request.cancel()

        #expect(request.isFinished)
        #expect(request.error == nil)
        #expect(transfer.orders.events.isEmpty)
    }

    @Test func `cancelling twice completes once`() async throws {
        let session = session(startRequestsImmediately: false)
        let calls = EventRecorder<Bool>()
        let queue = DispatchQueue(label: "test")
        let request = session.request(url).response(queue: queue) { calls.record($0.error?.isExplicitlyCancelledError ?? false) }

        request.cancel().cancel().resume().cancel()

        #expect(try await calls.wait(for: 1) == [true])
        queue.sync {}
        #expect(calls.events == [true])
        #expect(transport.started.events.isEmpty)
    }

    // MARK: Suspending

    @Test func `a request that is suspended before it is resumed sends nothing until then`() async throws {
        let session = session(startRequestsImmediately: false)
        let request = session.request(url).response { _ in }

        request.suspend()
        #expect(transport.started.events.isEmpty)
        request.resume()

        #expect(transport.started.events.count == 1)
    }

    @Test func `suspending and resuming in flight reaches the transfer`() async throws {
        let session = session()
        let request = session.request(url)
        _ = request.serializingData()
        let transfer = try await transport.transfer()

        request.suspend()
        #expect(request.isSuspended)
        request.resume()
        #expect(request.isResumed)

        #expect(transfer.orders.events == [.suspend, .resume])
        request.cancel()
    }

    @Test func `a follow-up waits until a suspended request is resumed`() async throws {
        let session = session()
        let request = session.request(url)
        let task = request.serializingData()
        let transfer = try await transport.transfer()
        transfer.respond(302, ["Location": "/z"])

        request.suspend()
        transfer.finish()
        #expect(transport.started.events.count == 1)
        request.resume()
        let second = try await transport.transfer(1)
        second.respond(200)
        second.finish("there")

        #expect(try await task.value == Data("there".utf8))
    }

    @Test func `a retry of a suspended request waits until it is resumed`() async throws {
        let questions = Questions<RetryResult>()
        let session = session(interceptor: retrier(questions))
        let request = session.request(url)
        let task = request.serializingData()
        try await transport.transfer().finish(error: HTTPError(.connectionLost, attempting: "a test", "it was lost"))
        let answer = try await questions.asked.wait(for: 1)[0]

        request.suspend()
        answer(.retry)
        #expect(transport.started.events.count == 1)
        request.resume()
        let second = try await transport.transfer(1)
        second.respond(200)
        second.finish("again")

        #expect(try await task.value == Data("again".utf8))
    }

    @Test func `a suspended request can be cancelled`() async throws {
        let session = session()
        let request = session.request(url)
        let task = request.serializingData()
        _ = try await transport.transfer()

        request.suspend().cancel()

        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }

    @Test func `a request that is suspended while it is held can be cancelled`() async throws {
        let session = session()
        let request = session.request(url)
        let task = request.serializingData()
        let transfer = try await transport.transfer()
        transfer.respond(302, ["Location": "/z"])
        request.suspend()
        transfer.finish()

        request.cancel()

        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(transport.started.events.count == 1)
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 20))
    func `whoever suspends and resumes last has the last word`(seed: UInt64) async throws {
        let session = session()
        let request = session.request(url)
        _ = request.serializingData()
        let transfer = try await transport.transfer(0)
        var generator = SeededGenerator(seed: seed)
        let orders = (0..<4).map { _ in (0..<20).map { _ in Bool.random(using: &generator) } }

        await withTaskGroup(of: Void.self) { group in
            for orders in orders {
                group.addTask {
                    for suspends in orders { _ = suspends ? request.suspend() : request.resume() }
                }
            }
        }

        let isSuspended = transfer.orders.events.last == .suspend
        #expect(isSuspended == request.isSuspended)
        request.cancel()
    }
}

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
struct RetryTests {
    private let session = Session.alone()

    private struct Reason: Error, Equatable { let word: String }

    /// Answers what `answer` says for the number of times it was asked, from 1, and writes that it was asked.
    private func retrier(
        _ name: String, _ asked: EventRecorder<String>, _ answer: @escaping @Sendable (Int) -> RetryResult
    ) -> Retrier {
        Retrier { request, _, _, completion in
            asked.record("\(name)\(request.retryCount)")
            completion(answer(request.retryCount + 1))
        }
    }

    // MARK: Retriers

    @Test func `retriers are asked in order, the session's first, until one has an answer`() async throws {
        let server = try TestServer { _ in .serviceUnavailable }
        let asked = EventRecorder<String>()
        let session = Session.alone(interceptor: retrier("session", asked) { _ in .doNotRetry })

        let request = session.request(
            server.url("/"),
            interceptor: Interceptor(retriers: [
                retrier("first", asked) { _ in .doNotRetry }, retrier("second", asked) { $0 < 2 ? .retry : .doNotRetry },
                retrier("third", asked) { _ in .doNotRetry },
            ])
        ).validate()
        let response = await request.serializingData().response

        #expect(response.error?.responseCode == 503)
        #expect(asked.events == ["session0", "first0", "second0", "session1", "first1", "second1", "third1"])
        #expect(server.requestCount == 2)
    }

    @Test func `an error of the retrier's comes with the one it was asked about`() async throws {
        let server = try TestServer { _ in .serviceUnavailable }
        let asked = EventRecorder<String>()

        let request = session.request(
            server.url("/"), interceptor: retrier("r", asked) { _ in .doNotRetryWithError(Reason(word: "no")) })
        let error = await request.validate().serializingData().response.error

        guard case .requestRetryFailed(let retryError, let originalError)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(retryError as? Reason == Reason(word: "no"))
        #expect(originalError.asAFError?.responseCode == 503)
        #expect(asked.events == ["r0"])
    }

    @Test func `a delayed retry is sent`() async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .ok("late"))
        let asked = EventRecorder<String>()

        let request = session.request(server.url("/"), interceptor: retrier("r", asked) { _ in .retryWithDelay(0.001) }).validate()

        #expect(try await request.serializingString().value == "late")
        #expect(asked.events == ["r0"])
    }

    @Test(arguments: [-1, Double.nan])
    func `a delay that is none is no delay`(delay: Double) async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .ok("at once"))
        let asked = EventRecorder<String>()

        let request = session.request(server.url("/"), interceptor: retrier("r", asked) { _ in .retryWithDelay(delay) }).validate()

        #expect(try await request.serializingString().value == "at once")
    }

    @Test func `a request that cannot be made is put before the retriers`() async throws {
        let asked = EventRecorder<String>()

        let request = session.request("", interceptor: retrier("r", asked) { $0 < 3 ? .retry : .doNotRetry })
        let error = await request.serializingData().response.error

        #expect(error?.isInvalidURLError == true)
        #expect(asked.events == ["r0", "r1", "r2"])
    }

    @Test func `a failed transfer is put before the retriers`() async throws {
        let server = try TestServer()
        server.enqueue(.reset, .ok("again"))
        let asked = EventRecorder<String>()

        let request = session.request(server.url("/"), method: .post, interceptor: retrier("r", asked) { _ in .retry })

        #expect(try await request.serializingString().value == "again")
        #expect(asked.events == ["r0"])
    }

    @Test func `a serializer's failure is put before the retriers, and all handlers see the last attempt only`() async throws {
        let server = try TestServer()
        // Nothing is answered before all handlers are there.
        let gate = TestGate()
        server.enqueue(.ok("no json").stalled(by: gate), .ok("[1]"))
        let asked = EventRecorder<String>()
        let calls = EventRecorder<String>()
        let queue = DispatchQueue(label: "test")

        session.request(server.url("/"), interceptor: retrier("r", asked) { _ in .retry })
            .responseString(queue: queue) { calls.record("string \($0.value ?? "")") }
            .responseDecodable(of: [Int].self, queue: queue) { calls.record("numbers \($0.value ?? [])") }
            .response(queue: queue) { calls.record("bytes \($0.data?.count ?? 0)") }
        gate.open()

        #expect(try await calls.wait(for: 3) == ["string [1]", "numbers [1]", "bytes 3"])
        #expect(asked.events == ["r0"])
    }

    @Test func `a serializer's failure that is not retried with an error carries that error`() async throws {
        let server = try TestServer { _ in .ok("no json") }
        let asked = EventRecorder<String>()

        let request = session.request(
            server.url("/"), interceptor: retrier("r", asked) { _ in .doNotRetryWithError(Reason(word: "no")) })
        let error = await request.serializingDecodable([Int].self).response.error

        #expect(error?.isRequestRetryError == true)
    }

    @Test func `a failure that the retriers have let stand is not put before them again by a serializer`() async throws {
        let server = try TestServer { _ in .serviceUnavailable }
        let asked = EventRecorder<String>()

        let request = session.request(server.url("/"), interceptor: retrier("r", asked) { _ in .doNotRetry }).validate()
        _ = await request.serializingDecodable([Int].self).response

        #expect(asked.events == ["r0"])
    }

    @Test func `cancelling is not put before the retriers`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let asked = EventRecorder<String>()

        let request = session.request(server.url("/"), interceptor: retrier("r", asked) { _ in .retry })
        let task = request.serializingData()
        try await server.waitForRequests(count: 1)
        request.cancel()
        _ = await task.response

        #expect(asked.events.isEmpty)
        gate.open()
    }

    @Test func `a retry forgets the response, the data and the error of the attempt before it`() async throws {
        let server = try TestServer()
        server.enqueue(.status(503, fields: ["X-Attempt": "1"], "first"), .noContent)
        let request = session.request(server.url("/"), interceptor: Retrier { _, _, _, completion in completion(.retry) }).validate()
        let response = await request.serializingData().response

        #expect(response.response?.statusCode == 204)
        #expect(response.data == nil)
        #expect(response.error == nil)
        #expect(request.error == nil)
        #expect(request.requests.count == 4)
        #expect(request.performedRequests.count == 2)
    }

    @Test func `a thousand retries do not grow the stack`() async throws {
        let asked = EventRecorder<String>()

        let request = session.request("", interceptor: retrier("r", asked) { $0 < 1000 ? .retry : .doNotRetry })
        _ = await request.serializingData().response

        #expect(asked.events.count == 1000)
    }

    // MARK: Adapters

    @Test func `an adapter's error fails the request`() async throws {
        let session = Session.alone(interceptor: Adapter { _, _, completion in completion(.failure(Reason(word: "no"))) })

        let error = await session.request("http://127.0.0.1:9/").serializingData().response.error

        guard case .requestAdaptationFailed(let reason)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(reason as? Reason == Reason(word: "no"))
    }

    @Test func `an adapted request is validated, too`() async throws {
        let session = Session.alone(
            interceptor: Adapter { request, _, completion in
                var request = request
                request.httpBody = Data("content in a GET".utf8)
                completion(.success(request))
            })

        let error = await session.request("http://127.0.0.1:9/").serializingData().response.error

        #expect(error?.isURLRequestValidationError == true)
    }

    @Test func `adapters run again for each attempt`() async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .ok)
        let number = Locked(0)
        let session = Session.alone(
            interceptor: Interceptor(
                adaptHandler: { request, _, completion in
                    let number = number.withLock { number in
                        number += 1
                        return number
                    }
                    var request = request
                    request.setValue("\(number)", forHTTPHeaderField: "X-Attempt")
                    completion(.success(request))
                }, retryHandler: { _, _, _, completion in completion(.retry) }))

        _ = await session.request(server.url("/")).validate().serializingData(emptyResponseCodes: [200]).response

        #expect(server.requests.map { $0.fields.values("X-Attempt") } == [["1"], ["2"]])
    }

    @Test func `an adapter may answer later, from another thread`() async throws {
        let server = try TestServer { _ in .ok("later") }
        let session = Session.alone(
            interceptor: Adapter { request, _, completion in
                DispatchQueue.global().async { completion(.success(request)) }
            })

        #expect(try await session.request(server.url("/")).serializingString().value == "later")
    }

    /// Writes down which of the two forms it was called in.
    private struct StateAdapter: RequestAdapter {
        let ids: EventRecorder<UUID>
        func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
        {
            completion(.failure(Reason(word: "the wrong form")))
        }
        func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            ids.record(state.requestID)
            completion(.success(urlRequest))
        }
    }

    @Test func `an adapter that wants to know more is told which request it adapts`() async throws {
        let server = try TestServer { _ in .ok("known") }
        let ids = EventRecorder<UUID>()

        let request = session.request(server.url("/")).adapt(using: StateAdapter(ids: ids))

        #expect(try await request.serializingString().value == "known")
        #expect(ids.events == [request.id])
    }
}

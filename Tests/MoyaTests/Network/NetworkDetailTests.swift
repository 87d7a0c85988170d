// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct NetworkDetailTests {
    @Test func `a response's head is one object, made of what was received`() async throws {
        let server = try TestServer { _ in .ok("x").field("X-Field", "value") }

        let response = try await MoyaProvider<AnyTarget>().request(.on(server))

        let head = try #require(response.response)
        #expect(response.response === head)
        #expect(head.value(forHTTPHeaderField: "x-field") == "value")
        #expect(head.url == server.url("/p"))
        #expect(response == Response(statusCode: 200, data: Data("x".utf8), response: head))
    }

    @Test func `a redirect is followed, and the response has the last URL`() async throws {
        let server = try TestServer { $0.path == "/p" ? .redirect(to: "/q") : .ok("x") }

        let response = try await MoyaProvider<AnyTarget>().request(.on(server))

        #expect(response.response?.url == server.url("/q"))
        #expect(server.requests.map(\.target) == ["/p", "/q"])
    }

    private struct Signer: AsyncPluginType {
        let journal: Journal

        func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest {
            await _Concurrency.Task.yield()
            journal.note("S preparing")
            var request = request
            request.setValue("signed", forHTTPHeaderField: "X-Signature")
            return request
        }

        func processing(
            _ result: Result<Moya.Response, MoyaError>, target: any TargetType
        ) async -> Result<Moya.Response, MoyaError> {
            await _Concurrency.Task.yield()
            journal.note("S processing \(result.summary)")
            return result
        }
    }

    private struct RetryOnce: RequestInterceptor {
        func retry(
            _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
    }

    @Test func `an asynchronous plugin is awaited before every attempt, and once at the end`() async throws {
        let journal = Journal()
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .ok("x"))
        let provider = MoyaProvider<AnyTarget>(
            session: Session(startRequestsImmediately: false, interceptor: RetryOnce()),
            plugins: [Signer(journal: journal), RecordingPlugin(name: "A", journal: journal)])

        _ = try await provider.request(.on(server, validation: .successCodes))

        let attempt = ["S preparing", "A prepare", "A willSend A"]
        #expect(journal.entries == attempt + attempt + ["A didReceive 200 x", "S processing 200 x", "A process 200 x"])
        #expect(server.requests.map { $0.fields["X-Signature"] } == ["signed", "signed"])
    }

    @Test func `everybody who waits for a shared request hears of its progress`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok(Data(count: 1000)).stalled(by: gate) }
        let provider = MoyaProvider<AnyTarget>(trackInflights: true)
        let outcome = EventRecorder<String>()
        let steps = Locked<[[Double]]>([[], []])

        provider.request(.on(server)) { _ in outcome.record("first") }
        for index in 0..<2 {
            provider.request(.on(server), progress: { step in steps.withLock { $0[index].append(step.progress) } }) { _ in
                outcome.record("other")
            }
        }
        gate.open()
        _ = try await outcome.wait(for: 3)

        #expect(steps.withLock { $0.map(\.last) } == [1, 1])
        #expect(steps.withLock { $0.allSatisfy { $0.count >= 2 && $0 == $0.sorted() } })
        #expect(server.requestCount == 1)
    }

    @Test func `every waiter of a shared request has its own queue`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: gate) }
        let provider = MoyaProvider<AnyTarget>(trackInflights: true)
        let key = DispatchSpecificKey<Int>()
        let outcome = EventRecorder<[Int]>()

        for number in 1...3 {
            let queue = DispatchQueue(label: "test \(number)")
            queue.setSpecific(key: key, value: number)
            provider.request(.on(server), callbackQueue: queue) { _ in
                outcome.record([number, DispatchQueue.getSpecific(key: key) ?? 0])
            }
        }
        gate.open()
        let seen = try await outcome.wait(for: 3)

        #expect(Set(seen) == [[1, 1], [2, 2], [3, 3]])
        #expect(server.requestCount == 1)
    }

    @Test func `asynchronous requests share a transfer, too`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: gate) }
        let provider = MoyaProvider<AnyTarget>(trackInflights: true)

        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await provider.request(.on(server)).statusCode } }
            while provider.inflightRequests.values.first?.count != 50 { await _Concurrency.Task.yield() }
            gate.open()
            return try await group.reduce(0) { count, status in count + (status == 200 ? 1 : 0) }
        }

        #expect(count == 50)
        #expect(server.requestCount == 1)
    }

    @Test func `a provider's callback queue is used for requests without one of their own`() async throws {
        let server = try TestServer { _ in .ok }
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let provider = MoyaProvider<AnyTarget>(callbackQueue: queue)

        let areOnQueue = await callbackValue { callback in
            let first = Locked(false)
            provider.request(.on(server)) { _ in
                first.withLock { $0 = DispatchQueue.getSpecific(key: key) == true }
                _ = provider.requestNormal(.on(server), callbackQueue: nil, progress: nil) { _ in
                    callback([first.withLock { $0 }, DispatchQueue.getSpecific(key: key) == true])
                }
            }
        }

        #expect(areOnQueue == [true, true])
    }
}

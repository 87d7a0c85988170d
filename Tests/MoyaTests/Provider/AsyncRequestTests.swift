// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

@testable import Moya

@Suite(.timeLimit(.minutes(1))) struct AsyncRequestTests {
    @Test func `a response is returned and a failure thrown`() async throws {
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub)
        let failing = MoyaProvider<Zoo>(
            endpointClosure: { target in
                Endpoint(
                    url: "https://h", sampleResponseClosure: { .networkResponse(404, Data()) }, method: .get, task: .requestPlain,
                    httpHeaderFields: nil)
            }, stubClosure: MoyaProvider.immediatelyStub)

        #expect(try await provider.request(.zen).mapString() == "Half measures are as bad as nothing at all.")
        do throws(MoyaError) {
            _ = try await failing.request(.login(name: "n"))
            #expect(Bool(false), "404 is no success")
        } catch {
            #expect(error.summary == "underlying: statusCode with 404")
        }
    }

    @MainActor private final class Screen {
        let target = AnyTarget(sampleData: Data("x".utf8))
        let provider = MoyaProvider<AnyTarget>(stubClosure: MoyaProvider.immediatelyStub)

        func load() async throws -> String { try await provider.request(target).mapString() }
    }

    @Test @MainActor func `a main-actor caller may pass a target that it stores`() async throws {
        #expect(try await Screen().load() == "x")
    }

    @Test func `a task that is cancelled already sends nothing`() async {
        let journal = Journal()
        let provider = MoyaProvider<Zoo>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [RecordingPlugin(name: "A", journal: journal)])

        let task = _Concurrency.Task { () async -> String in
            withUnsafeCurrentTask { $0?.cancel() }
            return await Result(catching: { () async throws(MoyaError) in try await provider.request(.zen) }).summary
        }

        #expect(await task.value == "underlying: explicitlyCancelled")
        #expect(journal.entries.isEmpty)
    }

    @Test func `cancelling the task cancels the request, whatever it waits for`() async {
        let provider = AnsweredWhenCancelled()

        let task = _Concurrency.Task {
            await Result(catching: { () async throws(MoyaError) in try await provider.request(.zen) }).summary
        }
        while provider.held.count == 0 { await _Concurrency.Task.yield() }
        task.cancel()

        #expect(await task.value == "underlying: explicitlyCancelled")
    }

    private final class Refreshing: MoyaProvider<Zoo>, @unchecked Sendable {  // the journal has its lock
        let journal = Journal()

        override func request(
            _ target: Zoo, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
        ) -> any Cancellable {
            journal.note("refresh")
            return super.request(target, callbackQueue: callbackQueue, progress: progress) { result in
                if let callbackQueue { callbackQueue.async { [carried = Carried(completion)] in carried.value(result) } }
            }
        }
    }

    @Test func `a subclass's request is the one that is called, and may use the queue it is given`() async throws {
        let provider = Refreshing(stubClosure: { _ in .immediate })

        #expect(try await provider.request(.login(name: "n")).statusCode == 200)
        #expect(provider.journal.entries == ["refresh"])
    }

    @Test func `many requests at once all return`() async throws {
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub, trackInflights: true)

        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<500 {
                group.addTask { try await provider.request(.animal("\(number % 5)")).statusCode }
            }
            return try await group.reduce(0) { count, status in count + (status == 200 ? 1 : 0) }
        }

        #expect(count == 500)
    }
}

extension Result where Failure == MoyaError {
    init(catching body: () async throws(MoyaError) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

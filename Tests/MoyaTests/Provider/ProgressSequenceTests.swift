// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

@testable import Moya

@Suite(.timeLimit(.minutes(1))) struct ProgressSequenceTests {
    private final class Steps: MoyaProvider<Zoo>, @unchecked Sendable {  // adds no state that changes
        let result: Result<Response, MoyaError>
        let journal = Journal()

        init(_ result: Result<Response, MoyaError>) {
            self.result = result
            super.init()
        }

        override func request(
            _ target: Zoo, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
        ) -> any Cancellable {
            for count in 1...3 as ClosedRange<Int64> {
                let object = Progress(totalUnitCount: 4)
                object.completedUnitCount = count
                progress?(ProgressResponse(progress: object))
            }
            progress?(ProgressResponse(progress: Progress(totalUnitCount: 4), response: try? result.get()))
            if case .success = result { completion(result) }
            return CancellableToken { [result, journal] in
                journal.note("cancelled")
                if case .failure = result { completion(result) }
            }
        }
    }

    @Test func `steps come in order and the response last`() async throws {
        let provider = Steps(.success(Response(statusCode: 200, data: Data())))
        var steps: [Double] = []
        var response: Response?

        for try await step in provider.requestWithProgress(.zen) {
            steps.append(step.progress)
            response = step.response
        }

        #expect(steps == [0.25, 0.5, 0.75, 1])
        #expect(response?.statusCode == 200)
    }

    @Test func `the response is the processed one`() async throws {
        let provider = MoyaProvider<Zoo>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [RecordingPlugin(name: "A", journal: Journal())])

        let responses = try await provider.requestWithProgress(.login(name: "n")).reduce(into: []) { $0.append($1.response) }

        #expect(responses.map { $0.map { String(decoding: $0.data, as: UTF8.self) } } == ["A"])
    }

    @Test func `nothing is sent before the first element is asked for`() async throws {
        let held = HeldRequests()
        let provider = MoyaProvider<Zoo>(requestClosure: held.closure, stubClosure: MoyaProvider.immediatelyStub)

        let sequence = provider.requestWithProgress(.zen)
        _ = sequence.makeAsyncIterator()

        #expect(held.count == 0)
    }

    @Test func `leaving the loop cancels the request`() async throws {
        let provider = Steps(.failure(.underlying(NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled), nil)))

        for try await _ in provider.requestWithProgress(.zen) { break }

        #expect(provider.journal.entries == ["cancelled"])
    }

    @Test func `cancelling the task ends the loop with the one error for it`() async {
        let provider = AnsweredWhenCancelled()

        let task = _Concurrency.Task {
            await Result(catching: { () async throws(MoyaError) in
                for try await _ in provider.requestWithProgress(.zen) {}
                return Response(statusCode: 0, data: Data())
            }).summary
        }
        while provider.held.count == 0 { await _Concurrency.Task.yield() }
        task.cancel()

        #expect(await task.value == "underlying: explicitlyCancelled")
    }

    @Test func `a slow consumer misses steps, never the response`() {
        var queue = ProgressQueue<Int>()
        for count in 0..<150 {
            let object = Progress(totalUnitCount: 150)
            object.completedUnitCount = Int64(count)
            #expect(queue.stepped(ProgressResponse(progress: object))?.consumer == nil)
        }
        #expect(queue.ended(.success(Response(statusCode: 200, data: Data())))?.consumer == nil)

        var counts: [Int64] = []
        while case .success(let step?)? = queue.asked(by: 1) {
            counts.append(step.progressObject?.completedUnitCount ?? -1)
            if step.completed { break }
        }

        #expect(counts == Array(50..<150) + [149])
    }

    @Test func `a consumer that waits gets the next step, and the failure`() {
        var queue = ProgressQueue<Int>()

        guard case nil = queue.asked(by: 7) else { return #expect(Bool(false)) }
        #expect(queue.stepped(ProgressResponse())?.consumer == 7)
        guard case nil = queue.asked(by: 8) else { return #expect(Bool(false)) }
        let last = queue.ended(.failure(.requestMapping("x")))

        #expect(last?.consumer == 8)
        guard case .failure(.requestMapping("x"))? = last?.next else { return #expect(Bool(false), "\(String(describing: last))") }
    }
}

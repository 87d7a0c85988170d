// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Testing

@testable import Moya

@Suite(.timeLimit(.minutes(1))) struct AwaitedRequestTests {
    /// Writes down where plugins are told of ends.
    private struct PlacePlugin: PluginType {
        let journal = Journal()
        private let key = DispatchSpecificKey<Bool>()

        init() { DispatchQueue.main.setSpecific(key: key, value: true) }

        func note() { journal.note(DispatchQueue.getSpecific(key: key) == true ? "main queue" : "elsewhere") }

        func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) { note() }
    }

    private nonisolated(nonsending) static func summary(of target: AnyTarget, by provider: MoyaProvider<AnyTarget>) async -> String {
        do throws(MoyaError) {
            return Result<Response, MoyaError>.success(try await provider.request(target)).summary
        } catch {
            return error.summary
        }
    }

    private static let success = Result<Response, MoyaError>.success(Response(statusCode: 200, data: Data()))

    @Test(arguments: [(200, "200 x"), (404, "underlying: unacceptableStatusCode 404 with 404")]) @MainActor
    func `what follows a transfer is done where the caller waits`(status: Int, summary: String) async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .status(status, "x").stalled(by: gate) }
        let place = PlacePlugin()
        let provider = MoyaProvider<AnyTarget>(plugins: [place])

        let waiting = _Concurrency.Task { await Self.summary(of: .on(server, validation: .successCodes), by: provider) }
        // It shares the actor: once it has run at all, it waits.
        await _Concurrency.Task.yield()
        try await gate.waitForWaiters()
        gate.open()

        #expect(await waiting.value == summary)
        #expect(place.journal.entries == ["main queue"])
    }

    @Test @MainActor func `a download's destination is asked where the caller waits`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: gate) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-awaited-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let place = PlacePlugin()
        let provider = MoyaProvider<AnyTarget>(plugins: [place])
        let destination: DownloadDestination = { _, _ in
            place.note()
            return (file, [])
        }

        let waiting = _Concurrency.Task { try await provider.request(.on(server, task: .downloadDestination(destination))).statusCode }
        try await gate.waitForWaiters()
        gate.open()

        #expect(try await waiting.value == 200)
        #expect(try String(contentsOf: file, encoding: .utf8) == "x")
        #expect(place.journal.entries == ["main queue", "main queue"])
    }

    /// Waits for the end within the call that makes the request.
    private final class Blocking: MoyaProvider<AnyTarget>, @unchecked Sendable {  // adds no state
        override func request(
            _ target: AnyTarget, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
        ) -> any Cancellable {
            let end = DispatchSemaphore(value: 0)
            let outcome = Outcome()
            let request = super.request(target, callbackQueue: callbackQueue, progress: progress) { result in
                outcome.take(result)
                end.signal()
            }
            end.wait()
            if let result = outcome.only { completion(result) }
            return request
        }
    }

    @Test func `an override that blocks until the end gets it`() async throws {
        let server = try TestServer { _ in .ok("x") }

        #expect(try await Blocking().request(.on(server)).mapString() == "x")
    }

    @Test func `work goes to the task that waits, and is done at once while none does`() async {
        let awaited = AwaitedRequest()
        let journal = Journal()
        awaited.perform { journal.note("at once") }
        #expect(journal.entries == ["at once"])

        await withUnsafeContinuation { continuation in
            awaited.resumes(continuation)
            awaited.perform { journal.note("by the task") }
            awaited.perform { journal.note("at once again") }
        }
        #expect(journal.entries == ["at once", "at once again"])
        awaited.doWork()
        awaited.doWork()
        #expect(journal.entries == ["at once", "at once again", "by the task"])
    }

    @Test func `the first outcome counts, whether or not the task waits`() async throws {
        let early = AwaitedRequest()
        early.ended(Self.success)
        await withUnsafeContinuation { early.resumes($0) }
        #expect(early.takeOutcome().summary == "200 ")

        let late = AwaitedRequest()
        await withUnsafeContinuation { continuation in
            late.resumes(continuation)
            late.ended(.failure(.requestMapping("x")))
            late.ended(Self.success)
        }
        #expect(late.hasEnded)
        #expect(late.takeOutcome().summary == "requestMapping")
    }

    @Test func `a thousand tasks that are cancelled at any moment end once each, with a response or the error for it`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let provider = MoyaProvider<AnyTarget>()

        let summaries = await withTaskGroup(of: String.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    let task = _Concurrency.Task { await Self.summary(of: .on(server), by: provider) }
                    for _ in 0..<(index % 50) { await _Concurrency.Task.yield() }
                    task.cancel()
                    return await task.value
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }

        #expect(summaries.values.reduce(0, +) == 1000)
        // Cancelled when its response was there already, one may keep it.
        let ends: Set = ["200 x", "underlying: explicitlyCancelled", "underlying: explicitlyCancelled with 200"]
        #expect(Set(summaries.keys).isSubset(of: ends), "\(summaries)")
    }
}

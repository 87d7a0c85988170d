// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Synchronization
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Steers requests from other threads at moments that follow from a seed: each handler is called once, whatever wins.
@Suite(.timeLimit(.minutes(1)))
struct CancelStressTests {
    private final class Tally: Sendable {
        let completions: [Atomic<Int>.Box]
        init(_ count: Int) { completions = (0..<count).map { _ in Atomic<Int>.Box() } }
        var counts: [Int] { completions.map { $0.value.load(ordering: .acquiring) } }
    }

    @Test(arguments: Seeds.fresh(count: 4))
    func `each of many requests that are steered at random moments completes exactly once`(seed: UInt64) async throws {
        let server = try TestServer(.init { $0.recordsRequests = false }) { request in
            switch request.path {
            case "/redirect": .redirect(to: "/")
            case "/fail": .serviceUnavailable
            default: .ok("content")
            }
        }
        let count = 500
        let tally = Tally(count)
        let finished = EventRecorder<Void>()
        let session = Session.alone(
            interceptor: Interceptor(
                adaptHandler: { request, _, completion in completion(.success(request)) },
                retryHandler: { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }))
        var generator = SeededGenerator(seed: seed)
        let queue = DispatchQueue(label: "test", attributes: .concurrent)

        for number in 0..<count {
            let path = ["/", "/redirect", "/fail"].randomElement(using: &generator) ?? "/"
            let request = session.request(server.url(path)).validate()
            request.response(queue: queue) { _ in
                tally.completions[number].value.wrappingAdd(1, ordering: .acquiringAndReleasing)
                finished.record(())
            }
            let steps = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                (Int.random(in: 0...2, using: &generator), Int.random(in: 0...400, using: &generator))
            }
            guard !steps.isEmpty else { continue }
            let cancels = Bool.random(using: &generator)
            queue.async {
                for (step, spin) in steps {
                    // A short time that the clock does not measure, so that every phase is met.
                    for _ in 0..<spin { _ = request.state }
                    switch step {
                    case 0: request.suspend()
                    case 1: request.resume()
                    default: if cancels { request.cancel() }
                    }
                }
                request.resume()
            }
        }

        _ = try await finished.wait(for: count)
        queue.sync(flags: .barrier) {}
        #expect(tally.counts.allSatisfy { $0 == 1 })
        #expect(await eventually { session.activeCount == 0 })
    }
}

extension Atomic<Int> {
    /// An atomic number that many closures share.
    fileprivate final class Box: Sendable {
        let value = Atomic<Int>(0)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya
import Testing

/// Disposes of subscriptions at random moments, from another thread than the one that subscribes or delivers.
package enum RandomDisposal {
    /// Each subscription sees at most one end and nothing after it; the server is left without a connection in use.
    package static func run(on surface: any ReactiveSurface.Type, count: Int, seed: UInt64) async throws {
        let server = try TestServer(TestServer.Configuration { $0.recordsRequests = false }) { _ in .ok("hello") }
        defer { server.close() }
        let counted = SentRequests()
        var random = SeededGenerator(seed: seed)
        do {
            let provider = MoyaProvider<Page>(plugins: [counted])
            let page = Page(server.baseURL)
            let queue = DispatchQueue(label: "callbacks")
            let disposing = DispatchQueue(label: "disposing")
            for batch in 0..<count / 50 {
                let subscriptions = (0..<50).map { _ in
                    let recorder = EventRecorder<StreamEvent>()
                    return (recorder: recorder, subscription: surface.request(provider, page, queue: queue, recorder.record))
                }
                let moments = subscriptions.map { _ in UInt32.random(in: 0..<3000, using: &random) }
                let disposals = DispatchGroup()
                for (moment, subscribed) in zip(moments, subscriptions) {
                    let deadline = DispatchTime.now() + .microseconds(Int(moment))
                    disposals.enter()
                    disposing.asyncAfter(deadline: deadline) {
                        subscribed.subscription.dispose()
                        disposals.leave()
                    }
                }
                // Each request is told of once, also one that was cancelled before it was sent.
                let steps = try await counted.steps.wait { steps in steps.count { $0 == .received } >= 50 }
                #expect(steps.count { $0 == .received } == 50)
                counted.steps.removeAll()
                // After the last disposal and what the requests have put on the callback queue.
                await callbackValue { callback in
                    disposals.notify(queue: queue) { callback(()) }
                }
                for subscribed in subscriptions {
                    let events = subscribed.recorder.events
                    let ends = events.count(where: \.isEnd)
                    #expect(ends <= 1 && (ends == 0 || events.last?.isEnd == true), "batch \(batch): \(events)")
                    if surface.reportsDisposal { #expect(ends == 1, "batch \(batch): \(events)") }
                }
            }
        }
        try await server.waitForOpenConnections(atMost: 0)
    }
}

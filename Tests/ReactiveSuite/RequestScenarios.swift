// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya
import Testing

extension GrammarScenario {
    /// Every scenario, for `@Test(arguments:)`.
    package static let all: [GrammarScenario] = ends + cancelling + progress

    private static let ends: [GrammarScenario] = [
        GrammarScenario("a success is one response and then the completion") { fixture in
            fixture.server.enqueue(.ok("hello"))
            let subscription = fixture.subscribe()
            let events = try await fixture.end()
            #expect(events == [.response(status: 200, text: "hello"), .completed])
            await fixture.drainQueue()
            #expect(fixture.recorder.events.count == 2)
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("a failure is one failure and nothing else") { fixture in
            fixture.server.enqueue(.close, .close, .close)
            let subscription = fixture.subscribe()
            let events = try await fixture.end()
            #expect(events.count == 1)
            guard case .failed = events.first else {
                Issue.record("\(events)")
                return
            }
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("a refused status code is a failure with that code") { fixture in
            fixture.server.enqueue(.status(404, "gone"))
            let subscription = fixture.subscribe(to: Page(fixture.server.baseURL, validationType: .successCodes))
            let events = try await fixture.end()
            #expect(events == [.failed(code: 404)])
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("an operator that refuses a response ends the stream with a failure") { fixture in
            fixture.server.enqueue(.status(404, "gone"))
            let subscription = fixture.surface.filteredRequest(
                fixture.provider, fixture.page, queue: fixture.queue, fixture.recorder.record)
            let events = try await fixture.end()
            #expect(events == [.failed(code: MoyaErrorCode.statusCode.rawValue)])
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("nothing is sent without a subscription, and one request for each") { fixture in
            _ = fixture.surface.deferred(fixture.provider, fixture.page, fixture.recorder.record)
            #expect(fixture.sent.count == 0)
            fixture.server.enqueue(.ok("one"), .ok("two"))
            let first = fixture.subscribe()
            let second = fixture.subscribe()
            _ = try await fixture.recorder.wait { events in events.count { $0 == .completed } == 2 }
            #expect(fixture.sent.count == 2)
            #expect(fixture.server.requests.count == 2)
            withExtendedLifetime((first, second)) {}
        },
        GrammarScenario("events come on the callback queue") { fixture in
            let key = DispatchSpecificKey<Bool>()
            fixture.queue.setSpecific(key: key, value: true)
            let isOnQueue = EventRecorder<Bool>()
            fixture.server.enqueue(.ok("hello"))
            let subscription = fixture.surface.request(fixture.provider, fixture.page, queue: fixture.queue) { _ in
                isOnQueue.record(DispatchQueue.getSpecific(key: key) == true)
            }
            let events = try await isOnQueue.wait(for: 2)
            #expect(events == [true, true])
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("an immediate stub is seen before the subscription returns") { fixture in
            let provider = MoyaProvider<Page>(stubClosure: MoyaProvider.immediatelyStub)
            let subscription = fixture.surface.request(provider, fixture.page, queue: nil, fixture.recorder.record)
            #expect(fixture.recorder.events == [.response(status: 200, text: "sample"), .completed])
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("two subscriptions share one request while the provider tracks those under way") { fixture in
            let provider = MoyaProvider<Page>(trackInflights: true)
            let gate = TestGate()
            fixture.server.enqueue(.ok("shared").stalled(by: gate))
            let first = fixture.surface.request(provider, fixture.page, queue: fixture.queue, fixture.recorder.record)
            let second = fixture.surface.request(provider, fixture.page, queue: fixture.queue, fixture.recorder.record)
            _ = try await fixture.server.waitForRequests(count: 1)
            gate.open()
            let events = try await fixture.recorder.wait(for: 4)
            #expect(events.count { $0 == .response(status: 200, text: "shared") } == 2)
            #expect(fixture.server.requests.count == 1)
            withExtendedLifetime((first, second)) {}
        },
    ]

    private static let progress: [GrammarScenario] = [
        GrammarScenario("progress grows, and the last value alone has the response") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok(Data(repeating: 97, count: 4000)).trickled(by: gate, pieceSize: 1000))
            gate.open()
            let subscription = fixture.subscribeWithProgress()
            let events = try await fixture.end()
            let steps = events.compactMap { event -> Double? in
                if case .progress(let share) = event { share } else { nil }
            }
            #expect(steps == steps.sorted())
            #expect(events.suffix(2) == [.response(status: 200, text: String(repeating: "a", count: 4000)), .completed])
            #expect(events.count == steps.count + 2)
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("a failure with progress is one failure at the end") { fixture in
            fixture.server.enqueue(.close, .close, .close)
            let subscription = fixture.subscribeWithProgress()
            let events = try await fixture.end()
            #expect(events.count(where: \.isEnd) == 1)
            guard case .failed = events.last else {
                Issue.record("\(events)")
                return
            }
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("a stub has one value with the response") { fixture in
            let provider = MoyaProvider<Page>(stubClosure: MoyaProvider.immediatelyStub)
            let subscription = fixture.surface.requestWithProgress(provider, fixture.page, queue: nil, fixture.recorder.record)
            #expect(fixture.recorder.events == [.response(status: 200, text: "sample"), .completed])
            withExtendedLifetime(subscription) {}
        },
    ]
}

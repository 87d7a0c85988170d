// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya
import Testing

extension GrammarScenario {
    /// Every scenario, for `@Test(arguments:)`.
    package static let all: [GrammarScenario] = ends + failures + cancelling + progress

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
        GrammarScenario("an operator that refuses a response ends the stream with a failure") { fixture in
            fixture.server.enqueue(.status(404, "gone"))
            let subscription = fixture.surface.filteredRequest(
                fixture.provider, fixture.page, queue: fixture.queue, fixture.recorder.record)
            let events = try await fixture.end()
            #expect(events.map(\.failureCode) == [MoyaErrorCode.statusCode.rawValue])
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("nothing is sent without a subscription, and one request for each") { fixture in
            _ = fixture.surface.deferred(fixture.provider, fixture.page, fixture.recorder.record)
            #expect(fixture.sent.count == 0)
            #expect(fixture.server.requests.isEmpty)
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
        GrammarScenario("two subscriptions share one request and one response while the provider tracks those under way") { fixture in
            let provider = MoyaProvider<Page>(trackInflights: true)
            let seen = EventRecorder<SharedResponse>()
            let record: @Sendable (Response) -> Void = { seen.record(SharedResponse($0, underWay: provider.inflightRequests.count)) }
            let gate = TestGate()
            fixture.server.enqueue(.ok("shared").stalled(by: gate))
            #expect(provider.inflightRequests.isEmpty)
            let first = fixture.surface.response(provider, fixture.page, queue: fixture.queue, record)
            let second = fixture.surface.response(provider, fixture.page, queue: fixture.queue, record)
            _ = try await fixture.server.waitForRequests(count: 1)
            gate.open()
            let responses = try await seen.wait(for: 2)
            #expect(responses.count == 2)
            #expect(responses[0].response === responses[1].response)
            #expect(responses.map(\.underWay) == [1, 1])
            #expect(fixture.server.requests.count == 1)
            await fixture.drainQueue()
            #expect(provider.inflightRequests.isEmpty)
            withExtendedLifetime((first, second)) {}
        },
        GrammarScenario("a response has a status code, data and the response of the URL loading system") { fixture in
            let seen = EventRecorder<SharedResponse>()
            fixture.server.enqueue(.status(201, fields: ["X-Kind": "made"], "hello"))
            let subscription = fixture.surface.response(fixture.provider, fixture.page, queue: fixture.queue) {
                seen.record(SharedResponse($0, underWay: 0))
            }
            let response = try #require(try await seen.wait(for: 1).first?.response)
            let code: Int = response.statusCode
            let data: Data = response.data
            let answer: HTTPURLResponse? = response.response
            #expect(code == 201)
            #expect(data == Data("hello".utf8))
            #expect(answer?.statusCode == 201)
            #expect(answer?.value(forHTTPHeaderField: "X-Kind") == "made")
            withExtendedLifetime(subscription) {}
        },
    ]

    private static let progress: [GrammarScenario] = [
        GrammarScenario("progress grows to one, and the last value alone has the response") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok(Data(repeating: 97, count: 4000)).trickled(by: gate, pieceSize: 1000))
            let subscription = fixture.subscribeWithProgress()
            // The head and the first piece.
            gate.release(2)
            _ = try await fixture.recorder.wait { events in events.contains { $0.isUnderWay } }
            gate.open()
            let events = try await fixture.end()
            let steps = events.compactMap { event -> Double? in
                if case .progress(let share) = event { share } else { nil }
            }
            #expect(steps.contains(0.25))
            #expect(steps == steps.sorted())
            #expect(steps.allSatisfy { (0...1).contains($0) })
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

/// A response as its subscriber found it.
private struct SharedResponse: Sendable {
    let response: Response
    /// How many requests the provider counted then.
    let underWay: Int

    init(_ response: Response, underWay: Int) {
        self.response = response
        self.underWay = underWay
    }
}

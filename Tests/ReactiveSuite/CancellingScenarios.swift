// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya
import Testing

extension GrammarScenario {
    static let cancelling: [GrammarScenario] = [
        GrammarScenario("disposing of a subscription cancels its transfer, and nothing follows") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("late").stalled(by: gate))
            let subscription = fixture.subscribe()
            _ = try await fixture.server.waitForRequests(count: 1)
            subscription.dispose()
            try await fixture.server.waitForOpenConnections(atMost: 0)
            _ = try await fixture.sent.steps.wait { $0.contains(.received) }
            await fixture.drainQueue()
            #expect(fixture.recorder.events == (fixture.surface.reportsDisposal ? [.interrupted] : []))
            gate.open()
        },
        GrammarScenario("dropping what a subscription returned leaves the request alone, unless the library says otherwise") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("kept").stalled(by: gate))
            _ = fixture.subscribe()
            if fixture.surface.endsWhenDropped {
                _ = try await fixture.sent.steps.wait { $0.contains(.received) }
                try await fixture.server.waitForOpenConnections(atMost: 0)
                await fixture.drainQueue()
                #expect(fixture.recorder.events.isEmpty)
            } else {
                _ = try await fixture.server.waitForRequests(count: 1)
                gate.open()
                #expect(try await fixture.end() == [.response(status: 200, text: "kept"), .completed])
            }
            gate.open()
        },
        GrammarScenario("disposing with progress cancels the transfer, and nothing follows") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("late").stalled(by: gate))
            let subscription = fixture.subscribeWithProgress()
            _ = try await fixture.server.waitForRequests(count: 1)
            subscription.dispose()
            try await fixture.server.waitForOpenConnections(atMost: 0)
            _ = try await fixture.sent.steps.wait { $0.contains(.received) }
            await fixture.drainQueue()
            #expect(fixture.recorder.events.filter(\.isEnd) == (fixture.surface.reportsDisposal ? [.interrupted] : []))
            gate.open()
        },
        GrammarScenario("disposing after the completion, and twice, is without effect") { fixture in
            fixture.server.enqueue(.ok("hello"))
            let subscription = fixture.subscribe()
            _ = try await fixture.end()
            subscription.dispose()
            subscription.dispose()
            await fixture.drainQueue()
            #expect(fixture.recorder.events == [.response(status: 200, text: "hello"), .completed])
        },
        GrammarScenario("the provider is not retained by what was made of it, and its absence ends a subscription") { fixture in
            let absent = AbsentProvider(fixture.surface, fixture.page)
            let events = absent.subscribe()
            #expect(events.count == 1)
            if fixture.surface.reportsDisposal {
                #expect(events == [.interrupted])
            } else {
                #expect(events.map(\.failureCode) == [MoyaErrorCode.underlying.rawValue])
            }
        },
    ]
}

/// A surface whose provider is released between making a request and subscribing to it.
struct AbsentProvider {
    let surface: any ReactiveSurface.Type
    let page: Page

    init(_ surface: any ReactiveSurface.Type, _ page: Page) {
        self.surface = surface
        self.page = page
    }

    func subscribe() -> [StreamEvent] {
        let recorder = EventRecorder<StreamEvent>()
        var provider: MoyaProvider<Page>? = MoyaProvider<Page>(stubClosure: MoyaProvider.immediatelyStub)
        weak let released = provider
        let subscribe = provider.map { surface.deferred($0, page, recorder.record) }
        provider = nil
        #expect(released == nil)
        let subscription = subscribe?()
        withExtendedLifetime(subscription) {}
        return recorder.events
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import ReactiveMoya
import ReactiveSuite
import Testing

/// `provider.reactive`, over whichever library is behind it.
enum ProducerSurface: ReactiveSurface {
    static let reportsDisposal = true
    static let endsWhenDropped = false

    static func request(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        let handle = provider.reactive.request(page, callbackQueue: queue).start { event in
            translate(event, record) { StreamEvent($0) }
        }
        return SurfaceSubscription(dispose: handle.dispose)
    }

    static func requestWithProgress(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        let handle = provider.reactive.requestWithProgress(page, callbackQueue: queue).start { event in
            translate(event, record) { StreamEvent($0) }
        }
        return SurfaceSubscription(dispose: handle.dispose)
    }

    static func filteredRequest(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        let handle = provider.reactive.request(page, callbackQueue: queue).filterSuccessfulStatusCodes().start { event in
            translate(event, record) { StreamEvent($0) }
        }
        return SurfaceSubscription(dispose: handle.dispose)
    }

    static func response(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (Response) -> Void
    ) -> SurfaceSubscription {
        let handle = provider.reactive.request(page, callbackQueue: queue).start { event in
            if case .value(let response) = event { record(response) }
        }
        return SurfaceSubscription(dispose: handle.dispose)
    }

    static func deferred(
        _ provider: MoyaProvider<Page>, _ page: Page, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> () -> SurfaceSubscription {
        let producer = provider.reactive.request(page)
        return {
            let handle = producer.start { event in translate(event, record) { StreamEvent($0) } }
            return SurfaceSubscription(dispose: handle.dispose)
        }
    }

    private static func translate<Value>(
        _ event: Signal<Value, MoyaError>.Event, _ record: @Sendable (StreamEvent) -> Void, _ convert: (Value) -> StreamEvent
    ) {
        switch event {
        case .value(let value): record(convert(value))
        case .failed(let error): record(.failure(error))
        case .completed: record(.completed)
        case .interrupted: record(.interrupted)
        }
    }
}

@Suite(.timeLimit(.minutes(2)))
struct GrammarTests {
    @Test(arguments: GrammarScenario.all)
    func `the grammar of a request`(scenario: GrammarScenario) async throws {
        try await scenario.run(on: ProducerSurface.self)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a start disposed of at a random moment ends once`(seed: UInt64) async throws {
        try await RandomDisposal.run(on: ProducerSurface.self, count: 5000, seed: seed)
    }
}

// SPDX-License-Identifier: MIT

#if canImport(Combine) || OpenCombine
import CombineMoya
import Foundation
import ReactiveSuite
import Testing

#if canImport(Combine)
import Combine
#else
@preconcurrency import OpenCombine
#endif

/// The publishers of a provider.
enum PublisherSurface: ReactiveSurface {
    static let reportsDisposal = false
    static let endsWhenDropped = true

    static func request(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        subscribe(provider.requestPublisher(page, callbackQueue: queue), record) { StreamEvent($0) }
    }

    static func requestWithProgress(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        subscribe(provider.requestWithProgressPublisher(page, callbackQueue: queue), record) { StreamEvent($0) }
    }

    static func filteredRequest(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        subscribe(provider.requestPublisher(page, callbackQueue: queue).filterSuccessfulStatusCodes(), record) { StreamEvent($0) }
    }

    static func response(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (Response) -> Void
    ) -> SurfaceSubscription {
        let cancellable = provider.requestPublisher(page, callbackQueue: queue)
            .sink(receiveCompletion: { _ in }, receiveValue: { record($0) })
        return SurfaceSubscription(dispose: cancellable.cancel)
    }

    static func deferred(
        _ provider: MoyaProvider<Page>, _ page: Page, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> () -> SurfaceSubscription {
        let publisher = provider.requestPublisher(page)
        return { subscribe(publisher, record) { StreamEvent($0) } }
    }

    private static func subscribe<Output>(
        _ publisher: AnyPublisher<Output, MoyaError>, _ record: @escaping @Sendable (StreamEvent) -> Void,
        _ convert: @escaping (Output) -> StreamEvent
    ) -> SurfaceSubscription {
        let cancellable = publisher.sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: record(.completed)
                case .failure(let error): record(.failure(error))
                }
            }, receiveValue: { record(convert($0)) })
        return SurfaceSubscription(dispose: cancellable.cancel)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct GrammarTests {
    @Test(arguments: GrammarScenario.all)
    func `the grammar of a request`(scenario: GrammarScenario) async throws {
        try await scenario.run(on: PublisherSurface.self)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a subscription cancelled at a random moment ends once`(seed: UInt64) async throws {
        try await RandomDisposal.run(on: PublisherSurface.self, count: 5000, seed: seed)
    }
}
#endif

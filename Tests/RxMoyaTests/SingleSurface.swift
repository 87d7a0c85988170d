// SPDX-License-Identifier: MIT

#if RxSwift
import Foundation
import ReactiveSuite
import RxMoya
@preconcurrency import RxSwift
import Testing

/// `provider.rx`.
enum SingleSurface: ReactiveSurface {
    static let reportsDisposal = false
    static let endsWhenDropped = false

    static func request(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        subscribe(provider.rx.request(page, callbackQueue: queue), record)
    }

    static func requestWithProgress(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        let disposable = provider.rx.requestWithProgress(page, callbackQueue: queue).subscribe { event in
            switch event {
            case .next(let step): record(StreamEvent(step))
            case .error(let error): record(.failure(error))
            case .completed: record(.completed)
            }
        }
        return SurfaceSubscription(dispose: disposable.dispose)
    }

    static func filteredRequest(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription {
        subscribe(provider.rx.request(page, callbackQueue: queue).filterSuccessfulStatusCodes(), record)
    }

    static func response(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (Response) -> Void
    ) -> SurfaceSubscription {
        let disposable = provider.rx.request(page, callbackQueue: queue).subscribe(onSuccess: { record($0) })
        return SurfaceSubscription(dispose: disposable.dispose)
    }

    static func deferred(
        _ provider: MoyaProvider<Page>, _ page: Page, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> () -> SurfaceSubscription {
        let single = provider.rx.request(page)
        return { subscribe(single, record) }
    }

    private static func subscribe(_ single: Single<Response>, _ record: @escaping @Sendable (StreamEvent) -> Void) -> SurfaceSubscription {
        let disposable = single.subscribe { event in
            switch event {
            case .success(let response):
                record(StreamEvent(response))
                record(.completed)
            case .failure(let error): record(.failure(error))
            }
        }
        return SurfaceSubscription(dispose: disposable.dispose)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct GrammarTests {
    @Test(arguments: GrammarScenario.all)
    func `the grammar of a request`(scenario: GrammarScenario) async throws {
        try await scenario.run(on: SingleSurface.self)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a subscription disposed of at a random moment ends once`(seed: UInt64) async throws {
        try await RandomDisposal.run(on: SingleSurface.self, count: 5000, seed: seed)
    }
}
#endif

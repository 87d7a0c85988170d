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

/// The operators of a publisher of responses.
enum PublisherOperators: OperatorSurface {
    static func filter<R: RangeExpression>(
        _ source: OperatorSource, statusCodes: R, _ observer: @escaping OperatorObserver<Response>
    ) -> SurfaceSubscription where R.Bound == Int {
        subscribe(source, observer) { $0.filter(statusCodes: statusCodes) }
    }

    static func filter(_ source: OperatorSource, statusCode: Int, _ observer: @escaping OperatorObserver<Response>) -> SurfaceSubscription {
        subscribe(source, observer) { $0.filter(statusCode: statusCode) }
    }

    static func filterSuccessfulStatusCodes(
        _ source: OperatorSource, _ observer: @escaping OperatorObserver<Response>
    ) -> SurfaceSubscription {
        subscribe(source, observer) { $0.filterSuccessfulStatusCodes() }
    }

    static func filterSuccessfulStatusAndRedirectCodes(
        _ source: OperatorSource, _ observer: @escaping OperatorObserver<Response>
    ) -> SurfaceSubscription {
        subscribe(source, observer) { $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    static func mapImage(_ source: OperatorSource, _ observer: @escaping OperatorObserver<Image>) -> SurfaceSubscription {
        subscribe(source, observer) { $0.mapImage() }
    }

    static func mapJSON(
        _ source: OperatorSource, failsOnEmptyData: Bool?, _ observer: @escaping OperatorObserver<Any>
    ) -> SurfaceSubscription {
        subscribe(source, observer) { failsOnEmptyData.map($0.mapJSON(failsOnEmptyData:)) ?? $0.mapJSON() }
    }

    static func mapString(
        _ source: OperatorSource, atKeyPath keyPath: String?, _ observer: @escaping OperatorObserver<String>
    ) -> SurfaceSubscription {
        subscribe(source, observer) { keyPath.map($0.mapString(atKeyPath:)) ?? $0.mapString() }
    }

    static func map<D: Decodable>(
        _ source: OperatorSource, _ type: D.Type, atKeyPath keyPath: String?, using decoder: JSONDecoder, failsOnEmptyData: Bool,
        _ observer: @escaping OperatorObserver<D>
    ) -> SurfaceSubscription {
        subscribe(source, observer) { $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }

    private static func subscribe<Value>(
        _ source: OperatorSource, _ observer: @escaping OperatorObserver<Value>,
        _ apply: (AnyPublisher<Response, MoyaError>) -> AnyPublisher<Value, MoyaError>
    ) -> SurfaceSubscription {
        let cancellable = apply(source.provider.requestPublisher(source.page, callbackQueue: source.queue)).sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: observer(.completed)
                case .failure(let error): observer(.failed(error))
                }
            }, receiveValue: { observer(.value($0)) })
        return SurfaceSubscription(dispose: cancellable.cancel)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ServedOperatorTests {
    @Test(arguments: OperatorScenario.all)
    func `the operators of a publisher of responses`(scenario: OperatorScenario) async throws {
        try await scenario.run(on: PublisherOperators.self)
    }
}
#endif

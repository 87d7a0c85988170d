// SPDX-License-Identifier: MIT

#if RxSwift
import Foundation
import ReactiveSuite
import RxMoya
@preconcurrency import RxSwift
import Testing

/// The operators of a single of a response.
enum SingleOperators: OperatorSurface {
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
        _ source: OperatorSource, _ observer: @escaping OperatorObserver<Value>, _ apply: (Single<Response>) -> Single<Value>
    ) -> SurfaceSubscription {
        let disposable = apply(source.provider.rx.request(source.page, callbackQueue: source.queue)).subscribe { event in
            switch event {
            case .success(let value):
                observer(.value(value))
                observer(.completed)
            case .failure(let error): observer(.failed(error))
            }
        }
        return SurfaceSubscription(dispose: disposable.dispose)
    }
}

/// The operators of an observable of responses.
enum ObservableOperators: OperatorSurface {
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
        _ source: OperatorSource, _ observer: @escaping OperatorObserver<Value>, _ apply: (Observable<Response>) -> Observable<Value>
    ) -> SurfaceSubscription {
        let responses = source.provider.rx.request(source.page, callbackQueue: source.queue).asObservable()
        let disposable = apply(responses).subscribe { event in
            switch event {
            case .next(let value): observer(.value(value))
            case .error(let error): observer(.failed(error))
            case .completed: observer(.completed)
            }
        }
        return SurfaceSubscription(dispose: disposable.dispose)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ServedOperatorTests {
    @Test(arguments: OperatorScenario.all)
    func `the operators of a single of a response`(scenario: OperatorScenario) async throws {
        try await scenario.run(on: SingleOperators.self)
    }

    @Test(arguments: OperatorScenario.all)
    func `the operators of an observable of responses`(scenario: OperatorScenario) async throws {
        try await scenario.run(on: ObservableOperators.self)
    }
}
#endif

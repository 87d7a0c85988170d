// SPDX-License-Identifier: MIT

import Foundation
import ReactiveMoya
import ReactiveSuite
import Testing

/// The operators of a producer of responses.
enum ProducerOperators: OperatorSurface {
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
        _ apply: (SignalProducer<Response, MoyaError>) -> SignalProducer<Value, MoyaError>
    ) -> SurfaceSubscription {
        let handle = apply(source.provider.reactive.request(source.page, callbackQueue: source.queue)).start { event in
            if let event = OperatorEvent(event) { observer(event) }
        }
        return SurfaceSubscription(dispose: handle.dispose)
    }
}

/// The operators of a signal of responses.
enum SignalOperators: OperatorSurface {
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
        _ apply: (Signal<Response, MoyaError>) -> Signal<Value, MoyaError>
    ) -> SurfaceSubscription {
        source.provider.reactive.request(source.page, callbackQueue: source.queue).startWithSignal { signal, handle in
            apply(signal).observe { event in
                if let event = OperatorEvent(event) { observer(event) }
            }
            return SurfaceSubscription(dispose: handle.dispose)
        }
    }
}

extension OperatorEvent {
    /// Nil for an interruption, which no operator sends by itself.
    fileprivate init?(_ event: Signal<Value, MoyaError>.Event) {
        switch event {
        case .value(let value): self = .value(value)
        case .failed(let error): self = .failed(error)
        case .completed: self = .completed
        case .interrupted: return nil
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ServedOperatorTests {
    @Test(arguments: OperatorScenario.all)
    func `the operators of a producer of responses`(scenario: OperatorScenario) async throws {
        try await scenario.run(on: ProducerOperators.self)
    }

    @Test(arguments: OperatorScenario.all)
    func `the operators of a signal of responses`(scenario: OperatorScenario) async throws {
        try await scenario.run(on: SignalOperators.self)
    }
}

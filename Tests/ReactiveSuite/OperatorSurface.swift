// SPDX-License-Identifier: MIT

import Foundation
import Moya

/// A request whose response goes through an operator.
package struct OperatorSource: Sendable {
    package let provider: MoyaProvider<Page>
    package let page: Page
    package let queue: DispatchQueue
}

/// What is made of a response: values, then at most one end.
package enum OperatorEvent<Value> {
    case value(Value)
    case failed(any Error)
    case completed
}

extension OperatorEvent: Sendable where Value: Sendable {}

/// Takes the events of a response that went through an operator.
package typealias OperatorObserver<Value> = @Sendable (OperatorEvent<Value>) -> Void

/// The operators that a reactive interface has on responses; each function subscribes to the request of its source.
package protocol OperatorSurface: Sendable {
    static func filter<R: RangeExpression>(
        _ source: OperatorSource, statusCodes: R, _ observer: @escaping OperatorObserver<Response>
    ) -> SurfaceSubscription where R.Bound == Int

    static func filter(
        _ source: OperatorSource, statusCode: Int, _ observer: @escaping OperatorObserver<Response>
    ) -> SurfaceSubscription

    static func filterSuccessfulStatusCodes(
        _ source: OperatorSource, _ observer: @escaping OperatorObserver<Response>
    ) -> SurfaceSubscription

    static func filterSuccessfulStatusAndRedirectCodes(
        _ source: OperatorSource, _ observer: @escaping OperatorObserver<Response>
    ) -> SurfaceSubscription

    static func mapImage(_ source: OperatorSource, _ observer: @escaping OperatorObserver<Image>) -> SurfaceSubscription

    /// - Parameter failsOnEmptyData: nil leaves the argument out.
    static func mapJSON(
        _ source: OperatorSource, failsOnEmptyData: Bool?, _ observer: @escaping OperatorObserver<Any>
    ) -> SurfaceSubscription

    /// - Parameter keyPath: nil leaves the argument out.
    static func mapString(
        _ source: OperatorSource, atKeyPath keyPath: String?, _ observer: @escaping OperatorObserver<String>
    ) -> SurfaceSubscription

    static func map<D: Decodable>(
        _ source: OperatorSource, _ type: D.Type, atKeyPath keyPath: String?, using decoder: JSONDecoder, failsOnEmptyData: Bool,
        _ observer: @escaping OperatorObserver<D>
    ) -> SurfaceSubscription
}

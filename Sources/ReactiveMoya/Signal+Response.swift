// SPDX-License-Identifier: MIT

import Foundation
import Moya

#if ReactiveSwift
@preconcurrency import ReactiveSwift
#else
import ReactiveSignals
#endif

extension SignalProtocol where Value == Response, Error == MoyaError {
    /// Sends what `transform` makes of each response; fails with the first error it throws.
    private func transformed<U>(_ transform: @escaping (Response) throws -> U) -> Signal<U, MoyaError> {
        let transform = uncheckedTransform(transform)
        return signal.attemptMap { response in transform(response) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is in the range.
    public func filter<R: RangeExpression>(statusCodes: R) -> Signal<Response, MoyaError> where R.Bound == Int {
        transformed { try $0.filter(statusCodes: statusCodes) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless this is the status code.
    public func filter(statusCode: Int) -> Signal<Response, MoyaError> {
        transformed { try $0.filter(statusCode: statusCode) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 299.
    public func filterSuccessfulStatusCodes() -> Signal<Response, MoyaError> {
        transformed { try $0.filterSuccessfulStatusCodes() }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> Signal<Response, MoyaError> {
        transformed { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// The data as an image; fails with ``MoyaError/imageMapping(_:)`` if it is not one.
    public func mapImage() -> Signal<Image, MoyaError> {
        transformed { try $0.mapImage() }
    }

    /// The data as JSON; fails with ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false gives `NSNull` for no data at all.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Signal<Any, MoyaError> {
        transformed { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The data as UTF-8 text, or the string at `keyPath` of a JSON document; fails with ``MoyaError/stringMapping(_:)``, or with
    /// ``MoyaError/jsonMapping(_:)`` if there is a key path but no JSON.
    public func mapString(atKeyPath keyPath: String? = nil) -> Signal<String, MoyaError> {
        transformed { try $0.mapString(atKeyPath: keyPath) }
    }

    /// The data, or what is at `keyPath` of it, decoded from JSON; fails with ``MoyaError/objectMapping(_:_:)`` or, for no JSON or nothing
    /// at the path, ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false decodes `{}` or `[{}]` for no data at all.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) -> Signal<D, MoyaError> {
        transformed { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }
}

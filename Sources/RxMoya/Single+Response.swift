// SPDX-License-Identifier: MIT

#if RxSwift
import Foundation
import Moya
@preconcurrency import RxSwift

extension PrimitiveSequence where Trait == SingleTrait, Element == Response {
    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is in the range.
    public func filter<R: RangeExpression>(statusCodes: R) -> Single<Response> where R.Bound == Int {
        map { try $0.filter(statusCodes: statusCodes) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless this is the status code.
    public func filter(statusCode: Int) -> Single<Response> {
        map { try $0.filter(statusCode: statusCode) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 299.
    public func filterSuccessfulStatusCodes() -> Single<Response> {
        map { try $0.filterSuccessfulStatusCodes() }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> Single<Response> {
        map { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// The data as an image; fails with ``MoyaError/imageMapping(_:)`` if it is not one.
    public func mapImage() -> Single<Image> {
        map { try $0.mapImage() }
    }

    /// The data as JSON; fails with ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false gives `NSNull` for no data at all.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Single<Any> {
        map { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The data as UTF-8 text, or the string at `keyPath` of a JSON document; fails with ``MoyaError/stringMapping(_:)``, or with
    /// ``MoyaError/jsonMapping(_:)`` if there is a key path but no JSON.
    public func mapString(atKeyPath keyPath: String? = nil) -> Single<String> {
        map { try $0.mapString(atKeyPath: keyPath) }
    }

    /// The data, or what is at `keyPath` of it, decoded from JSON; fails with ``MoyaError/objectMapping(_:_:)`` or, for no JSON or nothing
    /// at the path, ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false decodes `{}` or `[{}]` for no data at all.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) -> Single<D> {
        map { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }
}
#endif

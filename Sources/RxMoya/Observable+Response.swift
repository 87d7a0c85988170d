// SPDX-License-Identifier: MIT

#if RxSwift
import Foundation
import Moya
@preconcurrency import RxSwift

extension ObservableType where Element == Response {
    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is in the range.
    public func filter<R: RangeExpression>(statusCodes: R) -> Observable<Response> where R.Bound == Int {
        map { try $0.filter(statusCodes: statusCodes) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless this is the status code.
    public func filter(statusCode: Int) -> Observable<Response> {
        map { try $0.filter(statusCode: statusCode) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 299.
    public func filterSuccessfulStatusCodes() -> Observable<Response> {
        map { try $0.filterSuccessfulStatusCodes() }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> Observable<Response> {
        map { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// The data as an image; fails with ``MoyaError/imageMapping(_:)`` if it is not one.
    public func mapImage() -> Observable<Image> {
        map { try $0.mapImage() }
    }

    /// The data as JSON; fails with ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false gives `NSNull` for no data at all.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Observable<Any> {
        map { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The data as UTF-8 text, or the string at `keyPath` of a JSON document; fails with ``MoyaError/stringMapping(_:)``, or with
    /// ``MoyaError/jsonMapping(_:)`` if there is a key path but no JSON.
    public func mapString(atKeyPath keyPath: String? = nil) -> Observable<String> {
        map { try $0.mapString(atKeyPath: keyPath) }
    }

    /// The data, or what is at `keyPath` of it, decoded from JSON; fails with ``MoyaError/objectMapping(_:_:)`` or, for no JSON or nothing
    /// at the path, ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false decodes `{}` or `[{}]` for no data at all.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) -> Observable<D> {
        map { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }
}

extension ObservableType where Element == ProgressResponse {
    /// Emits the response, once it is there.
    public func filterCompleted() -> Observable<Response> {
        compactMap { $0.response }
    }

    /// Emits how much is done, from 0 to 1, until the response is there.
    public func filterProgress() -> Observable<Double> {
        filter { !$0.completed }.map { $0.progress }
    }
}
#endif

// SPDX-License-Identifier: MIT

#if canImport(Combine) || OpenCombine
import Foundation
import Moya

#if canImport(Combine)
import Combine
#else
@preconcurrency import OpenCombine
#endif

extension Publisher where Output == Response, Failure == MoyaError {
    /// Publishes what `transform` makes of each response; fails with the first error it throws.
    private func transformed<U>(_ transform: @escaping (Response) throws -> U) -> AnyPublisher<U, MoyaError> {
        tryMap(transform).mapError { ($0 as? MoyaError) ?? .underlying($0, nil) }.eraseToAnyPublisher()
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is in the range.
    public func filter<R: RangeExpression>(statusCodes: R) -> AnyPublisher<Response, MoyaError> where R.Bound == Int {
        transformed { try $0.filter(statusCodes: statusCodes) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless this is the status code.
    public func filter(statusCode: Int) -> AnyPublisher<Response, MoyaError> {
        transformed { try $0.filter(statusCode: statusCode) }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 299.
    public func filterSuccessfulStatusCodes() -> AnyPublisher<Response, MoyaError> {
        transformed { try $0.filterSuccessfulStatusCodes() }
    }

    /// Fails with ``MoyaError/statusCode(_:)`` unless the status code is 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> AnyPublisher<Response, MoyaError> {
        transformed { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// The data as an image; fails with ``MoyaError/imageMapping(_:)`` if it is not one.
    public func mapImage() -> AnyPublisher<Image, MoyaError> {
        transformed { try $0.mapImage() }
    }

    /// The data as JSON; fails with ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false gives `NSNull` for no data at all.
    public func mapJSON(failsOnEmptyData: Bool = true) -> AnyPublisher<Any, MoyaError> {
        transformed { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The data as UTF-8 text, or the string at `keyPath` of a JSON document; fails with ``MoyaError/stringMapping(_:)``, or with
    /// ``MoyaError/jsonMapping(_:)`` if there is a key path but no JSON.
    public func mapString(atKeyPath keyPath: String? = nil) -> AnyPublisher<String, MoyaError> {
        transformed { try $0.mapString(atKeyPath: keyPath) }
    }

    /// The data, or what is at `keyPath` of it, decoded from JSON; fails with ``MoyaError/objectMapping(_:_:)`` or, for no JSON or nothing
    /// at the path, ``MoyaError/jsonMapping(_:)``.
    /// - Parameter failsOnEmptyData: false decodes `{}` or `[{}]` for no data at all.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) -> AnyPublisher<D, MoyaError> {
        transformed { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }
}

extension Publisher where Output == ProgressResponse, Failure == MoyaError {
    /// Publishes the response, once it is there.
    public func filterCompleted() -> AnyPublisher<Response, MoyaError> {
        compactMap { $0.response }.eraseToAnyPublisher()
    }

    /// Publishes how much is done, from 0 to 1, until the response is there.
    public func filterProgress() -> AnyPublisher<Double, MoyaError> {
        filter { !$0.completed }.map { $0.progress }.eraseToAnyPublisher()
    }
}
#endif

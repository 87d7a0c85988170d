// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The domain of a ``MoyaError`` as an `NSError`.
public let MoyaErrorDomain: String = "Moya.MoyaError"

/// The cases of ``MoyaError`` as numbers.
public enum MoyaErrorCode: Int, CaseIterable, Sendable {
    /// ``MoyaError/imageMapping(_:)``.
    case imageMapping = 0
    /// ``MoyaError/jsonMapping(_:)``.
    case jsonMapping
    /// ``MoyaError/stringMapping(_:)``.
    case stringMapping
    /// ``MoyaError/objectMapping(_:_:)``.
    case objectMapping
    /// ``MoyaError/encodableMapping(_:)``.
    case encodableMapping
    /// ``MoyaError/statusCode(_:)``.
    case statusCode
    /// ``MoyaError/underlying(_:_:)``.
    case underlying
    /// ``MoyaError/requestMapping(_:)``.
    case requestMapping
    /// ``MoyaError/parameterEncoding(_:)``.
    case parameterEncoding
}

extension MoyaError: CustomNSError {
    /// ``MoyaErrorDomain``.
    public static var errorDomain: String { MoyaErrorDomain }

    /// The status code of a failed request that has a response, else the raw value of ``code``. Status codes begin at 100, so that the two
    /// never meet.
    public var errorCode: Int {
        if case .underlying(_, let response?) = self { return response.statusCode }
        return code.rawValue
    }

    /// The description; the underlying error; of a response its content under `"data"`, its status code under `"statusCode"` and itself
    /// under `"response"`; and the text that is not a URL, without user information and query. What there is not has no key.
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [:]
        userInfo[NSLocalizedDescriptionKey] = errorDescription
        userInfo[NSUnderlyingErrorKey] = underlyingError
        if let response {
            userInfo["data"] = response.data
            userInfo["statusCode"] = response.statusCode
            userInfo["response"] = response
        }
        if case .requestMapping(let url) = self { userInfo[failingURLStringKey] = RedactedURL.redact(url) }
        return userInfo
    }
}

/// `NSURLErrorFailingURLStringErrorKey`, whose name is deprecated on Linux; there is no other key for a URL that is none.
private let failingURLStringKey = "NSErrorFailingURLStringKey"

extension MoyaError {
    /// The `URLError` at the bottom of the error, whether it lies there as such, as an `NSError`, or inside a session's error.
    public var urlError: URLError? {
        var next = underlyingError
        // Errors nest a few levels deep; the bound is for a chain that leads back into itself.
        for _ in 0..<16 {
            guard let error = next else { return nil }
            if let found = error as? URLError { return found }
            if let error = error as? MoyaError {
                next = error.underlyingError
                continue
            }
            if let error = error.asAFError {
                next = error.underlyingError
                continue
            }
            let bridged = error as NSError
            if bridged.domain == NSURLErrorDomain, let found = URLError(bridging: bridged) { return found }
            next = bridged.userInfo[NSUnderlyingErrorKey] as? any Swift.Error
        }
        return nil
    }
}

extension URLError {
    /// An `NSError` of the domain `NSURLErrorDomain` as a `URLError`; on Linux, Foundation does not convert it.
    fileprivate init?(bridging error: NSError) {
        // Making a code can fail on Linux only.
        let code: URLError.Code? = URLError.Code(rawValue: error.code)
        guard let code else { return nil }
        self.init(code, userInfo: error.userInfo)
    }
}

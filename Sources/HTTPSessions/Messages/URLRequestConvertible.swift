// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What can be made into a request; the session asks for it when it sets the request up, once for each attempt.
public protocol URLRequestConvertible: Sendable {
    /// The request. What this throws reaches the caller inside ``AFError/createURLRequestFailed(error:)``, unless it is an ``AFError``.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request, or nil if it cannot be made.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() throws -> URLRequest { self }
}

extension URLRequest {
    /// A request with a method and, unless nil, these fields and no others.
    /// - Throws: what `url` throws when asked for its URL.
    public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
        self.init(url: try url.asURL())
        httpMethod = method.rawValue
        if let headers {
            allHTTPHeaderFields = headers.dictionary
        }
    }

    /// `httpMethod` as a value.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init(rawValue:)) }
        set { httpMethod = newValue?.rawValue }
    }

    /// All fields; setting them removes those that are not in the new value.
    public var headers: HTTPHeaders {
        get { HTTPHeaders(allHTTPHeaderFields ?? [:]) }
        set { allHTTPHeaderFields = newValue.dictionary }
    }

    /// Sets `Content-Type` unless it is there, in any case. One assignment of all fields costs half as much on Linux as setting a value.
    mutating func setContentTypeIfAbsent(_ type: String) {
        guard value(forHTTPHeaderField: "Content-Type") == nil else { return }
        var fields = allHTTPHeaderFields ?? [:]
        fields["Content-Type"] = type
        allHTTPHeaderFields = fields
    }

    /// Refuses what must not be sent: GET with a body (`httpBody` set, be it empty).
    /// - Throws: ``AFError/urlRequestValidationFailed(reason:)``.
    public func validate() throws {
        if let httpBody, httpMethod == HTTPMethod.get.rawValue {
            throw AFError.urlRequestValidationFailed(reason: .bodyDataInGETRequest(httpBody))
        }
    }
}

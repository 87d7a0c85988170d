// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parameters of a request: names and values for a ``ParameterEncoding``.
public typealias Parameters = [String: Any]

/// Writes parameters into a request.
public protocol ParameterEncoding: Sendable {
    /// The request with the parameters in it; with nil, the request unchanged.
    ///
    /// May be called on any thread. An error that is not an ``AFError`` reaches the caller inside
    /// ``AFError/createURLRequestFailed(error:)``.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}

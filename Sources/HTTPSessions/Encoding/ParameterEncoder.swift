// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes an `Encodable` value into a request.
public protocol ParameterEncoder: Sendable {
    /// The request with the parameters in it; with nil, the request unchanged. May be called on any thread.
    func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws -> URLRequest
}

/// Writes a value as a JSON body, with `Content-Type: application/json` unless the request has that field.
open class JSONParameterEncoder: @unchecked Sendable, ParameterEncoder {  // its property never changes, and an encoder may be shared
    /// With a `JSONEncoder` as it comes; the order of keys is not defined.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }

    /// With line breaks and indentation.
    public static var prettyPrinted: JSONParameterEncoder { formatted(.prettyPrinted) }

    /// With keys in order, so that equal values give equal bodies.
    public static var sortedKeys: JSONParameterEncoder { formatted(.sortedKeys) }

    /// What encodes. Its settings must not be changed while requests are made.
    public let encoder: JSONEncoder

    /// A parameter encoder that uses this encoder.
    public init(encoder: JSONEncoder = JSONEncoder()) {
        self.encoder = encoder
    }

    /// Makes the value the body.
    /// - Throws: ``AFError/parameterEncodingFailed(reason:)`` with `jsonEncodingFailed`.
    open func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws -> URLRequest {
        guard let parameters else { return request }
        var request = request
        do {
            request.httpBody = try encoder.encode(parameters)
        } catch {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        request.setContentTypeIfAbsent("application/json")
        return request
    }

    private static func formatted(_ formatting: JSONEncoder.OutputFormatting) -> JSONParameterEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return JSONParameterEncoder(encoder: encoder)
    }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
    /// ``JSONParameterEncoder/default``.
    public static var json: JSONParameterEncoder { .default }

    /// A ``JSONParameterEncoder`` that uses this encoder.
    public static func json(encoder: JSONEncoder = JSONEncoder()) -> JSONParameterEncoder {
        JSONParameterEncoder(encoder: encoder)
    }
}

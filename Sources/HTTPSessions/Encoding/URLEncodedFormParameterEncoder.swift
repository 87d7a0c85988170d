// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes a value as `name=value` pairs into the URL's query or into a form body, as ``URLEncoding`` does with a dictionary.
open class URLEncodedFormParameterEncoder: @unchecked Sendable, ParameterEncoder {  // its properties never change
    /// Where the pairs go.
    public enum Destination: Sendable {
        /// The query for GET, HEAD and DELETE, the body for every other method.
        case methodDependent
        /// The query, after what is there.
        case queryString
        /// The body, as `application/x-www-form-urlencoded`.
        case httpBody

        func isQuery(for method: HTTPMethod) -> Bool {
            switch self {
            case .methodDependent: URLEncoding.Destination.methodDependent.isQuery(for: method)
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// With a ``URLEncodedFormEncoder`` as it comes, and where the method says.
    public static var `default`: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

    /// What encodes.
    public let encoder: URLEncodedFormEncoder
    /// Where the pairs go.
    public let destination: Destination

    /// A parameter encoder with these options.
    public init(encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(), destination: Destination = .methodDependent) {
        self.encoder = encoder
        self.destination = destination
    }

    /// Appends the pairs to the query, or makes them the body; what is there stays as ``URLEncoding`` leaves it.
    /// - Throws: ``AFError/parameterEncoderFailed(reason:)``.
    open func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws -> URLRequest {
        guard let parameters else { return request }
        guard let url = request.url else { throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.url)) }
        guard let method = request.method else {
            throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.httpMethod(rawValue: "nil")))
        }

        let pairs: [UInt8]
        do {
            pairs = try encoder.encodedBytes(parameters)
        } catch {
            throw AFError.parameterEncoderFailed(reason: .encoderFailed(error: error))
        }

        var request = request
        if destination.isQuery(for: method) {
            request.url = try url.appendingQuery(pairs)
        } else {
            request.httpBody = Data(pairs)
            request.setContentTypeIfAbsent("application/x-www-form-urlencoded; charset=utf-8")
        }
        return request
    }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// ``URLEncodedFormParameterEncoder/default``.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder { .default }

    /// A ``URLEncodedFormParameterEncoder`` with these options.
    public static func urlEncodedForm(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(), destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
    ) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
    }
}

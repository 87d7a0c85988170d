// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes parameters as a JSON body, with `Content-Type: application/json` unless the request has that field.
public struct JSONEncoding: ParameterEncoding {
    /// Why a value cannot be written as JSON.
    public enum Error: Swift.Error {
        /// Something in the value has no JSON form: a date, data, a number that is not finite, a key that is not text.
        case invalidJSONObject
    }

    /// Without any options.
    public static var `default`: JSONEncoding { JSONEncoding() }

    /// With line breaks and indentation.
    public static var prettyPrinted: JSONEncoding { JSONEncoding(options: .prettyPrinted) }

    /// How the JSON is written. Keys are in order whether or not `.sortedKeys` is among them.
    public let options: JSONSerialization.WritingOptions

    /// An encoding that writes with these options.
    public init(options: JSONSerialization.WritingOptions = []) {
        self.options = options
    }

    /// Makes the parameters the body; empty ones give `{}`.
    /// - Throws: ``AFError/parameterEncodingFailed(reason:)`` with `jsonEncodingFailed`.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Makes an array or dictionary the body; nil leaves the request as it is.
    /// - Throws: ``AFError/parameterEncodingFailed(reason:)`` with `jsonEncodingFailed`.
    public func encode(_ urlRequest: any URLRequestConvertible, withJSONObject jsonObject: Any? = nil) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let jsonObject else { return request }
        request.httpBody = try json(jsonObject)
        request.setContentTypeIfAbsent("application/json")
        return request
    }

    private func json(_ object: Any) throws -> Data {
        if options.isSubset(of: [.sortedKeys, .withoutEscapingSlashes]),
            let json = JSONObjectWriter.write(object, escapingSlashes: !options.contains(.withoutEscapingSlashes))
        {
            return json
        }
        // Asked first: what has no JSON form makes JSONSerialization trap.
        guard JSONSerialization.isValidJSONObject(object) else {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: Error.invalidJSONObject))
        }
        do {
            return try JSONSerialization.data(withJSONObject: object, options: options.union(.sortedKeys))
        } catch {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
    }
}

extension JSONEncoding.Error: LocalizedError {
    /// What JSON can hold.
    public var errorDescription: String? {
        "The value is not an array or dictionary of text, numbers, Booleans and null, which is what JSON can hold."
    }
}

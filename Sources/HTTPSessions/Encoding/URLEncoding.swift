// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes parameters as `name=value` pairs into the URL's query or into a form body.
///
/// Names and values are escaped except for `A-Z a-z 0-9 - . _ ~ / ?`; a space becomes `%20`. Dictionaries are written in the order of their
/// keys, so that equal parameters give equal requests. Only text, numbers and Booleans have a defined form; other values are written as
/// they describe themselves.
public struct URLEncoding: ParameterEncoding {
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
            case .methodDependent: [.get, .head, .delete].contains(method)
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// How the name of an array's element is made.
    public enum ArrayEncoding: Sendable {
        /// `key[]`.
        case brackets
        /// `key`.
        case noBrackets
        /// `key[0]`, `key[1]`, …
        case indexInBrackets
        /// What the closure returns; it is escaped afterwards.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func encode(_ key: String, atIndex index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let encoding): encoding(key, index)
            }
        }
    }

    /// How a Boolean is written.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal

        func encode(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// ``Destination/methodDependent``, with brackets and numeric Booleans.
    public static var `default`: URLEncoding { URLEncoding() }

    /// ``Destination/queryString``, with brackets and numeric Booleans.
    public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }

    /// ``Destination/httpBody``, with brackets and numeric Booleans.
    public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }

    /// Where the pairs go.
    public let destination: Destination
    /// How the name of an array's element is made.
    public let arrayEncoding: ArrayEncoding
    /// How a Boolean is written.
    public let boolEncoding: BoolEncoding

    /// An encoding with these options.
    public init(
        destination: Destination = .methodDependent, arrayEncoding: ArrayEncoding = .brackets, boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// Appends the pairs to the query, or makes them the body.
    ///
    /// A query that is there stays as it is, and so does the fragment. A body comes with `Content-Type: application/x-www-form-urlencoded;
    /// charset=utf-8` unless the request has that field. Empty parameters leave the URL alone and make an empty body.
    /// - Throws: ``AFError/parameterEncodingFailed(reason:)`` with `missingURL`.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }

        guard destination.isQuery(for: request.method ?? .get) else {
            request.httpBody = Data(query(parameters))
            request.setContentTypeIfAbsent("application/x-www-form-urlencoded; charset=utf-8")
            return request
        }
        guard let url = request.url else { throw AFError.parameterEncodingFailed(reason: .missingURL) }
        request.url = try url.appendingQuery(query(parameters))
        return request
    }

    /// The pairs that a value gives under a key, names and values escaped.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        var components: [(String, String)] = []
        forEachPair(key: key, value: value) { components.append((escape($0), escape($1))) }
        return components
    }

    /// The text with every byte of its UTF-8 form percent-encoded but for the characters that stay as they are.
    public func escape(_ string: String) -> String {
        QueryEscaping.escape(string)
    }

    /// The escaped pairs, joined; ASCII.
    private func query(_ parameters: Parameters) -> [UInt8] {
        var query: [UInt8] = []
        for key in parameters.keys.sorted() {
            guard let value = parameters[key] else { continue }
            forEachPair(key: key, value: value) { name, value in
                if !query.isEmpty { query.append(UInt8(ascii: "&")) }
                QueryEscaping.append(name, to: &query)
                query.append(UInt8(ascii: "="))
                QueryEscaping.append(value, to: &query)
            }
        }
        return query
    }

    private func forEachPair(key: String, value: Any, _ body: (_ name: String, _ value: String) -> Void) {
        switch ParameterValue(value) {
        case .text(let text): body(key, text)
        case .bool(let bool): body(key, boolEncoding.encode(bool))
        case .dictionary(let dictionary):
            for nestedKey in dictionary.keys.sorted() {
                guard let value = dictionary[nestedKey] else { continue }
                forEachPair(key: "\(key)[\(nestedKey)]", value: value, body)
            }
        case .array(let array):
            for (index, value) in array.enumerated() {
                forEachPair(key: arrayEncoding.encode(key, atIndex: index), value: value, body)
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reads the content as JSON of unknown shape; `NSNull` where no content is allowed.
@available(*, deprecated, message: "Decode a type of your own with DecodableResponseSerializer.")
public final class JSONResponseSerializer: ResponseSerializer {
    /// Applied to content that is not empty.
    public let dataPreprocessor: any DataPreprocessor
    /// Status codes whose responses may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// How the JSON is read. Default: fragments (a lone number or string) are allowed.
    public let options: JSONSerialization.ReadingOptions

    /// A serializer with these options.
    public init(
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor(), emptyResponseCodes: Set<Int> = [204, 205],
        emptyRequestMethods: Set<HTTPMethod> = [.head], options: JSONSerialization.ReadingOptions = .fragmentsAllowed
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
        self.options = options
    }

    /// Arrays, dictionaries, strings, numbers and `NSNull`.
    /// - Throws: `error`; `inputDataNilOrZeroLength`; `jsonSerializationFailed`.
    public func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> any Sendable {
        guard let content = try content(request: request, response: response, data: data, error: error) else { return NSNull() }
        do {
            return JSONValue.sendable(try JSONSerialization.jsonObject(with: content, options: options))
        } catch {
            throw AFError.responseSerializationFailed(reason: .jsonSerializationFailed(error: error))
        }
    }
}

/// Parsed JSON as values that may cross threads.
private enum JSONValue {
    static func sendable(_ value: Any) -> any Sendable {
        switch value {
        case let dictionary as [String: Any]: dictionary.mapValues(sendable)
        case let array as [Any]: array.map(sendable)
        case let text as String: text
        case let number as NSNumber: number
        default: NSNull()
        }
    }
}

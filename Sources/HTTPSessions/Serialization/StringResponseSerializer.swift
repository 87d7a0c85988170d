// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reads the content as text: in the encoding given, else in that of the response's `charset`, else in ISO 8859-1.
public final class StringResponseSerializer: ResponseSerializer {
    /// What comes out.
    public typealias SerializedObject = String

    /// Applied to content that is not empty.
    public let dataPreprocessor: any DataPreprocessor
    /// The encoding whatever the response says; nil lets the response say.
    public let encoding: String.Encoding?
    /// Status codes whose responses may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// A serializer with these options.
    public init(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor, encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.encoding = encoding
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The text; empty where no content is allowed.
    /// - Throws: `error`; `inputDataNilOrZeroLength`; `stringSerializationFailed` for bytes that are not text in the encoding.
    public func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> String {
        guard let content = try content(request: request, response: response, data: data, error: error) else { return "" }
        let encoding = encoding ?? response?.textEncodingName.flatMap(CharacterEncodings.encoding(named:)) ?? .isoLatin1
        guard let text = String(data: content, encoding: encoding) else {
            throw AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
        }
        return text
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// Reads the content as text.
    public static var string: StringResponseSerializer { StringResponseSerializer() }

    /// Reads the content as text, with these options.
    public static func string(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor, encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> StringResponseSerializer {
        StringResponseSerializer(
            dataPreprocessor: dataPreprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods)
    }
}

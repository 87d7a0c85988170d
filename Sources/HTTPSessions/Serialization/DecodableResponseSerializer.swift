// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decodes the content as a type.
public final class DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
    /// What comes out.
    public typealias SerializedObject = T

    /// Applied to content that is not empty.
    public let dataPreprocessor: any DataPreprocessor
    /// What decodes. Default: a `JSONDecoder` as it comes.
    public let decoder: any DataDecoder
    /// Status codes whose responses may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// A serializer with these options.
    public init(
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor(), decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = [204, 205], emptyRequestMethods: Set<HTTPMethod> = [.head]
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.decoder = decoder
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The decoded value; the type's empty value where no content is allowed.
    /// - Throws: `error`; `inputDataNilOrZeroLength`; `invalidEmptyResponse` if the type has no empty value; `decodingFailed`.
    public func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> T {
        guard let content = try content(request: request, response: response, data: data, error: error) else {
            guard let emptyType = T.self as? any EmptyResponse.Type, let empty = emptyType.emptyValue() as? T else {
                throw AFError.responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(T.self)"))
            }
            return empty
        }
        do {
            return try decoder.decode(T.self, from: content)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

extension ResponseSerializer {
    /// Decodes the content as a type, with these options.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type, dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor(), decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = [204, 205], emptyRequestMethods: Set<HTTPMethod> = [.head]
    ) -> DecodableResponseSerializer<T> where Self == DecodableResponseSerializer<T> {
        DecodableResponseSerializer(
            dataPreprocessor: dataPreprocessor, decoder: decoder, emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods)
    }
}

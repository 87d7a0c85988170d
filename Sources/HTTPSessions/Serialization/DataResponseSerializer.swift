// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands on the content; empty content only where the method or status code allows it.
public final class DataResponseSerializer: ResponseSerializer {
    /// What comes out.
    public typealias SerializedObject = Data

    /// Applied to content that is not empty.
    public let dataPreprocessor: any DataPreprocessor
    /// Status codes whose responses may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// A serializer with these options.
    public init(
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The content after the preprocessor.
    /// - Throws: `error`; `inputDataNilOrZeroLength` for content that is missing.
    public func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> Data {
        try content(request: request, response: response, data: data, error: error) ?? Data()
    }
}

extension ResponseSerializer where Self == DataResponseSerializer {
    /// Hands on the content.
    public static var data: DataResponseSerializer { DataResponseSerializer() }

    /// Hands on the content, with these options.
    public static func data(
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DataResponseSerializer {
        DataResponseSerializer(
            dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyRequestMethods)
    }
}

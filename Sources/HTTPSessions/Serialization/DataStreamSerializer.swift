// SPDX-License-Identifier: MIT

import Foundation

/// Makes a value of each piece of a stream.
public protocol DataStreamSerializer<SerializedObject>: Sendable {
    /// What a piece becomes.
    associatedtype SerializedObject: Sendable
    /// Makes a value of one piece; called on the session's serialization queue, for one piece at a time and in order.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// Decodes each piece of a stream.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
    /// What decodes.
    public let decoder: any DataDecoder
    /// What a piece passes before it is decoded.
    public let dataPreprocessor: any DataPreprocessor

    /// A serializer of these parts.
    public init(decoder: any DataDecoder = JSONDecoder(), dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// The value of one piece.
    public func serialize(_ data: Data) throws -> T {
        let processed = try dataPreprocessor.preprocess(data)
        do {
            return try decoder.decode(T.self, from: processed)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

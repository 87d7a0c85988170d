// SPDX-License-Identifier: MIT

import Foundation

/// Changes a response's content before a serializer reads it.
public protocol DataPreprocessor: Sendable {
    /// The content to read. An error ends the serialization with it.
    func preprocess(_ data: Data) throws -> Data
}

/// Leaves the content as it is.
public struct PassthroughPreprocessor: DataPreprocessor {
    /// Leaves the content as it is.
    public init() {}

    /// The same data, not copied.
    public func preprocess(_ data: Data) throws -> Data { data }
}

/// Takes off the prefix `)]}',` and a line feed, with which Google's services keep JSON from being run as a script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
    private static let prefix = Data(")]}',\n".utf8)

    /// Takes off the prefix if it is there.
    public init() {}

    /// The content without the prefix, or as it is if it does not start with it.
    public func preprocess(_ data: Data) throws -> Data {
        data.starts(with: Self.prefix) ? data.dropFirst(Self.prefix.count) : data
    }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
    /// Leaves the content as it is.
    public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
    /// Takes off the prefix that Google's services put before JSON.
    public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}

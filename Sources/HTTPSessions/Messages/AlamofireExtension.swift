// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The namespace `af` on a type of Foundation's.
public struct AlamofireExtension<ExtendedType> {
    /// The value that `af` was asked of.
    public private(set) var type: ExtendedType

    /// Wraps a value.
    public init(_ type: ExtendedType) {
        self.type = type
    }
}

/// A type that has the namespace `af`.
public protocol AlamofireExtended {
    /// The type that is extended.
    associatedtype ExtendedType
    /// The namespace of the type.
    static var af: AlamofireExtension<ExtendedType>.Type { get }
    /// The namespace of a value.
    var af: AlamofireExtension<ExtendedType> { get }
}

extension AlamofireExtended {
    /// The namespace of the type.
    public static var af: AlamofireExtension<Self>.Type { AlamofireExtension<Self>.self }

    /// The namespace of a value.
    public var af: AlamofireExtension<Self> { AlamofireExtension(self) }
}

extension URLSessionConfiguration: AlamofireExtended {}

extension AlamofireExtension where ExtendedType: URLSessionConfiguration {
    /// The system's default configuration with ``HTTPHeaders/default``; a new object on each access.
    public static var `default`: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = HTTPHeaders.defaultDictionary
        return configuration
    }

    /// The system's ephemeral configuration (nothing is written to disk) with ``HTTPHeaders/default``; a new object on each access.
    public static var ephemeral: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = HTTPHeaders.defaultDictionary
        return configuration
    }
}

// SPDX-License-Identifier: MIT

import Foundation

/// A multipart form (RFC 7578), described; it is encoded when its request is sent.
public struct MultipartFormData: Hashable, ExpressibleByArrayLiteral {
    /// Where the content of a part comes from.
    public enum FormDataProvider: Hashable {
        /// From memory.
        case data(Foundation.Data)
        /// From a file, read as the form is sent.
        case file(URL)
        /// From a stream, which can be read once, and its length in bytes. Two streams are equal if they are one object.
        case stream(InputStream, UInt64)
    }

    /// What reads the files of the parts.
    public let fileManager: FileManager

    /// The boundary, used as it is in both header and body; nil: a random one is chosen when the request is sent.
    public let boundary: String?

    /// The parts, in their order. A form without parts fails when it is sent.
    public let parts: [MultipartFormBodyPart]

    /// A form of these parts.
    public init(fileManager: FileManager = .default, boundary: String? = nil, parts: [MultipartFormBodyPart]) {
        self.fileManager = fileManager
        self.boundary = boundary
        self.parts = parts
    }

    /// A form of these parts, with a random boundary.
    public init(arrayLiteral elements: MultipartFormBodyPart...) {
        self.init(parts: elements)
    }

    /// Whether both have the same parts and boundary, and the same file manager object.
    public static func == (lhs: MultipartFormData, rhs: MultipartFormData) -> Bool {
        lhs.fileManager === rhs.fileManager && lhs.boundary == rhs.boundary && lhs.parts == rhs.parts
    }

    /// Hashes boundary and parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(boundary)
        hasher.combine(parts)
    }
}

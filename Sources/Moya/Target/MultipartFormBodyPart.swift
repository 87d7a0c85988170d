// SPDX-License-Identifier: MIT

import Foundation

/// A part of a multipart form (RFC 7578, 4).
public struct MultipartFormBodyPart: Hashable {
    /// Where the content comes from.
    public let provider: MultipartFormData.FormDataProvider

    /// The name of the form's field.
    public let name: String

    /// The file name that the part states. A part from a file takes the file's own name unless both this and ``mimeType`` are given.
    public let fileName: String?

    /// The media type that the part states. A part from a file takes the one of its extension unless both this and ``fileName`` are given.
    public let mimeType: String?

    /// A part with this content.
    public init(provider: MultipartFormData.FormDataProvider, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}

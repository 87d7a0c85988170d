// SPDX-License-Identifier: MIT

import Foundation

// In releases of Moya a `MultipartFormData` was one part, and a task carried a list of them. This keeps such source compiling.

extension MultipartFormData {
    /// A form of one part.
    @available(*, deprecated, message: "Use MultipartFormBodyPart for a part, and a form of parts")
    public init(provider: FormDataProvider, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.init(parts: [MultipartFormBodyPart(provider: provider, name: name, fileName: fileName, mimeType: mimeType)])
    }

    /// The first part's content; empty data if the form has no part.
    @available(*, deprecated, message: "Use the provider of one of the parts")
    public var provider: FormDataProvider { parts.first?.provider ?? .data(Data()) }

    /// The first part's name; empty if the form has no part.
    @available(*, deprecated, message: "Use the name of one of the parts")
    public var name: String { parts.first?.name ?? "" }

    /// The first part's file name.
    @available(*, deprecated, message: "Use the file name of one of the parts")
    public var fileName: String? { parts.first?.fileName }

    /// The first part's media type.
    @available(*, deprecated, message: "Use the media type of one of the parts")
    public var mimeType: String? { parts.first?.mimeType }
}

extension Task {
    /// A multipart form of the parts of these forms.
    @available(*, deprecated, message: "Use uploadMultipartFormData(_:)")
    @_disfavoredOverload
    public static func uploadMultipart(_ forms: [MultipartFormData]) -> Task {
        .uploadMultipartFormData(MultipartFormData(joining: forms))
    }

    /// A multipart form of the parts of these forms, and parameters in the query.
    @available(*, deprecated, message: "Use uploadCompositeMultipartFormData(_:urlParameters:)")
    @_disfavoredOverload
    public static func uploadCompositeMultipart(_ forms: [MultipartFormData], urlParameters: [String: Any]) -> Task {
        .uploadCompositeMultipartFormData(MultipartFormData(joining: forms), urlParameters: urlParameters)
    }
}

extension MultipartFormData {
    /// A form of the parts of all forms, with the file manager and the boundary of the first.
    fileprivate init(joining forms: [MultipartFormData]) {
        self.init(fileManager: forms.first?.fileManager ?? .default, boundary: forms.first?.boundary, parts: forms.flatMap(\.parts))
    }
}

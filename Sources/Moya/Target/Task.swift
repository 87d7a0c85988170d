// SPDX-License-Identifier: MIT

import Foundation

/// What a request carries, and how it is sent.
///
/// The name hides Swift's own `Task` in files that import this module: write `_Concurrency.Task` for that one.
public enum Task {
    /// Nothing.
    case requestPlain

    /// These bytes as the content. No `Content-Type` is set.
    case requestData(Data)

    /// The value as JSON. `Content-Type: application/json` is set unless the target has one.
    case requestJSONEncodable(any Encodable)

    /// The value as JSON, by an encoder of the caller's.
    case requestCustomJSONEncodable(any Encodable, encoder: JSONEncoder)

    /// Parameters, put by `encoding` into the query or the content.
    case requestParameters(parameters: [String: Any], encoding: any ParameterEncoding)

    /// These bytes as the content, and parameters in the query.
    case requestCompositeData(bodyData: Data, urlParameters: [String: Any])

    /// Parameters in the content and parameters in the query. `bodyEncoding` must not be a ``URLEncoding`` that may write to the query.
    case requestCompositeParameters(bodyParameters: [String: Any], bodyEncoding: any ParameterEncoding, urlParameters: [String: Any])

    /// The content of a file, read as it is sent.
    case uploadFile(URL)

    /// A multipart form (RFC 7578). The method must support it (`supportsMultipart`), and the form must have a part.
    case uploadMultipartFormData(MultipartFormData)

    /// A multipart form of these parts.
    @available(*, deprecated, message: "Use uploadMultipartFormData(_:)")
    case uploadMultipart([MultipartFormBodyPart])

    /// A multipart form, and parameters in the query.
    case uploadCompositeMultipartFormData(MultipartFormData, urlParameters: [String: Any])

    /// A multipart form of these parts, and parameters in the query.
    @available(*, deprecated, message: "Use uploadCompositeMultipartFormData(_:urlParameters:)")
    case uploadCompositeMultipart([MultipartFormBodyPart], urlParameters: [String: Any])

    /// Nothing; the response's content goes to a file. The response then has no data.
    case downloadDestination(DownloadDestination)

    /// Parameters, put by `encoding` into the query or the content; the response's content goes to a file.
    case downloadParameters(parameters: [String: Any], encoding: any ParameterEncoding, destination: DownloadDestination)
}

/// Another name for ``Task``, for files that use Swift's as well.
public typealias HTTPTask = Task

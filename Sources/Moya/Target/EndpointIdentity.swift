// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What makes two endpoints the same request.
///
/// `URLRequest`'s own equality ignores content and fields on Linux, so that two POSTs to one URL would be the same.
final class EndpointIdentity: Hashable, @unchecked Sendable {  // never changes; the streams in it are compared by identity, not read
    private enum Head: Hashable {
        case request(url: String, method: String, fields: [String: String], contentLength: Int?)
        /// The endpoint makes no request; only its URL's text is left to compare.
        case failure(url: String)
    }

    private enum Upload: Hashable {
        case none
        case file(URL)
        case parts([MultipartFormBodyPart])
        case form(MultipartFormData)
    }

    private let head: Head
    private let upload: Upload
    private let content: Data?
    private let contentStream: InputStream?
    /// The content with sorted keys, where a task encoded it as JSON: dictionaries have no order of their own.
    private let sortedContent: Data?

    init(of endpoint: Endpoint) {
        upload = Self.upload(of: endpoint.task)
        guard let request = try? endpoint.urlRequest() else {
            head = .failure(url: endpoint.url)
            content = nil
            contentStream = nil
            sortedContent = nil
            return
        }
        let fields = (request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
        content = request.httpBody
        contentStream = request.httpBodyStream
        head = .request(
            url: request.url?.absoluteString ?? "", method: request.httpMethod ?? "GET",
            fields: Dictionary(fields) { first, _ in first }, contentLength: content?.count)
        sortedContent = Self.isEncoded(endpoint.task) ? content.flatMap(Self.sortedJSON) : nil
    }

    static func == (lhs: EndpointIdentity, rhs: EndpointIdentity) -> Bool {
        guard lhs.head == rhs.head, lhs.upload == rhs.upload, lhs.contentStream === rhs.contentStream else { return false }
        if lhs.content == rhs.content { return true }
        // Another order of keys keeps the length, which the heads compared; other white space or other values seldom do.
        guard let one = lhs.sortedContent, let other = rhs.sortedContent else { return false }
        return one == other
    }

    /// Contents that are equal but for the order of their keys have equal lengths, and so equal hashes.
    func hash(into hasher: inout Hasher) {
        hasher.combine(head)
        hasher.combine(upload)
    }

    private static func upload(of task: Task) -> Upload {
        switch task {
        case .uploadFile(let file): .file(file)
        case .uploadMultipart(let parts), .uploadCompositeMultipart(let parts, _): .parts(parts)
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _): .form(form)
        case .requestPlain, .requestData, .requestJSONEncodable, .requestCustomJSONEncodable, .requestParameters, .requestCompositeData,
            .requestCompositeParameters, .downloadDestination, .downloadParameters:
            .none
        }
    }

    /// Whether the content is made from values, not given as bytes.
    private static func isEncoded(_ task: Task) -> Bool {
        switch task {
        case .requestJSONEncodable, .requestCustomJSONEncodable, .requestParameters, .requestCompositeParameters, .downloadParameters: true
        case .requestPlain, .requestData, .requestCompositeData, .uploadFile, .uploadMultipart, .uploadCompositeMultipart,
            .uploadMultipartFormData, .uploadCompositeMultipartFormData, .downloadDestination:
            false
        }
    }

    private static func sortedJSON(_ data: Data) -> Data? {
        guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else { return nil }
        return try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    }
}

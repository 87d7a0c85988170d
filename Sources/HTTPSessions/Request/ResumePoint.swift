// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where a download stopped: the file with what has arrived, and what tells that the server's representation is still the same one.
///
/// It is resumed with a range request (RFC 9110, 14.2) on the condition `If-Range` (13.1.5), so that a representation that has changed comes whole.
struct ResumePoint {
    let request: URLRequest
    let fileURL: URL
    let length: Int64

    /// What is written into resume data. Fields that hold secrets are not: an interceptor or a credential adds them again.
    private struct Record: Codable {
        var version = 1
        let url: URL
        let method: String
        let fields: [String: String]
        let validator: String
        let file: String
        let length: Int64
    }

    let encoded: Data?

    /// A point to resume from, if the response allows it: a successful GET with a strong validator, from a server that knows ranges.
    init?(request: URLRequest, response: HTTPResponseHead, fileURL: URL) {
        guard request.httpMethod ?? "GET" == "GET", [200, 206].contains(response.status), let url = request.url,
            response.status == 206 || response.value(for: "Accept-Ranges")?.lowercased() == "bytes",
            response.value(for: "Content-Encoding") == nil,
            let validator = Self.validator(response), let length = Self.length(of: fileURL), length > 0
        else { return nil }
        self.request = request
        self.fileURL = fileURL
        self.length = length
        var fields = request.allHTTPHeaderFields ?? [:]
        for name in fields.keys where HTTPFields.isSecret(name) || ["range", "if-range"].contains(name.lowercased()) { fields[name] = nil }
        let record = Record(
            url: url, method: "GET", fields: fields, validator: validator, file: fileURL.lastPathComponent, length: length)
        encoded = try? JSONEncoder().encode(record)
    }

    /// The point that resume data describes.
    /// - Throws: `AFError.createURLRequestFailed` around a `CocoaError` if the data is not ours, or the partial file is gone.
    init(_ data: Data) throws {
        guard let record = try? JSONDecoder().decode(Record.self, from: data), record.version == 1 else {
            throw AFError.createURLRequestFailed(
                error: CocoaError(
                    .coderInvalidValue, userInfo: [NSLocalizedDescriptionKey: "The resume data was not made by this library."]))
        }
        // Only a name in the temporary folder is believed: resume data may come from anywhere.
        let name = URL(fileURLWithPath: record.file).lastPathComponent
        fileURL = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        guard let length = Self.length(of: fileURL), length == record.length, name.hasPrefix("openmoya-") else {
            throw AFError.createURLRequestFailed(
                error: CocoaError(
                    .fileNoSuchFile,
                    userInfo: [NSLocalizedDescriptionKey: "The partial file that the resume data names is gone; start the download anew."]))
        }
        self.length = length
        encoded = data
        var request = URLRequest(url: record.url)
        request.allHTTPHeaderFields = record.fields
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(record.validator, forHTTPHeaderField: "If-Range")
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        self.request = request
    }

    func removeFile() { try? FileManager.default.removeItem(at: fileURL) }

    /// Whether the response is the rest of the file (RFC 9110, 14.4); anything else comes from its start.
    func continues(in response: HTTPResponseHead) -> Bool {
        guard response.status == 206, let range = response.value(for: "Content-Range")?.lowercased() else { return false }
        return range.hasPrefix("bytes \(length)-")
    }

    /// A strong entity tag, or the date of the last change (RFC 9110, 13.1.5).
    private static func validator(_ response: HTTPResponseHead) -> String? {
        if let tag = response.value(for: "ETag"), !tag.hasPrefix("W/") { return tag }
        return response.value(for: "Last-Modified")
    }

    private static func length(of file: URL) -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber)??.int64Value
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where a download stopped: the file with what has arrived, and what tells that the server's representation is still the same one.
///
/// It is resumed with a range request (RFC 9110, 14.2) on the condition `If-Range` (13.1.5), so that a representation that has changed
/// comes whole.
package struct ResumePoint: Sendable {
    /// Why resume data is of no use.
    package enum Failure: Error, CustomStringConvertible {
        /// It was not made here.
        case notOurs
        /// The file with what has arrived is not there, or not as it was left.
        case fileIsGone

        package var description: String {
            switch self {
            case .notOurs: "The resume data was not made by this library."
            case .fileIsGone: "The partial file that the resume data names is gone, or another download goes on in it; start anew."
            }
        }
    }

    /// How a response fits what has arrived.
    package enum Fit {
        /// It is the rest of the file.
        case continues
        /// It is the whole, which takes the place of what has arrived.
        case startsOver
        /// It is a part, but not the one that was asked for: nothing can be made of it.
        case isMismatched
    }

    /// Asks for the rest.
    package let request: URLRequest
    /// What has arrived.
    package let fileURL: URL
    package let length: Int64
    /// What the rest is asked for on condition of.
    private let validator: String

    /// What is written into resume data. `Authorization` and cookies are not: an interceptor or a credential adds them again.
    private struct Record: Codable {
        var version = 1
        let url: URL
        let method: String
        let fields: [String: String]
        let validator: String
        let file: String
        let length: Int64
    }

    /// Resume data.
    package let encoded: Data?

    /// A point to resume from, if the response allows it: a successful GET with a strong validator, from a server that knows ranges.
    package init?(request: URLRequest, response: HTTPResponseHead, fileURL: URL) {
        guard request.httpMethod ?? "GET" == "GET", [200, 206].contains(response.status), let url = request.url,
            response.status == 206 || response.value(for: "Accept-Ranges")?.lowercased() == "bytes",
            response.value(for: "Content-Encoding") == nil,
            let validator = Self.validator(response), let length = Self.length(of: fileURL), length > 0
        else { return nil }
        self.request = request
        self.fileURL = fileURL
        self.length = length
        self.validator = validator
        var fields = request.allHTTPHeaderFields ?? [:]
        for name in fields.keys where HTTPFields.isSecret(name) || ["range", "if-range"].contains(name.lowercased()) { fields[name] = nil }
        let record = Record(
            url: url, method: "GET", fields: fields, validator: validator, file: fileURL.lastPathComponent, length: length)
        encoded = try? JSONEncoder().encode(record)
    }

    /// The point that resume data describes.
    package init(_ data: Data) throws(Failure) {
        guard let record = try? JSONDecoder().decode(Record.self, from: data), record.version == 1 else { throw .notOurs }
        // Only a name in the temporary folder is believed: resume data may come from anywhere.
        let name = URL(fileURLWithPath: record.file).lastPathComponent
        fileURL = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        guard let length = Self.length(of: fileURL), length == record.length, name.hasPrefix("openmoya-") else { throw .fileIsGone }
        self.length = length
        validator = record.validator
        encoded = data
        var request = URLRequest(url: record.url)
        request.allHTTPHeaderFields = record.fields
        request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
        request.setValue(record.validator, forHTTPHeaderField: "If-Range")
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        self.request = request
    }

    /// What a response that does not fit is.
    package static func mismatch(attempting attempt: String) -> HTTPError {
        HTTPError(
            .malformedResponse, attempting: attempt,
            "the server answered with another part of the content than the one asked for; start the download anew")
    }

    /// What a file that cannot be taken up is.
    package static func fileIsGone(attempting attempt: String) -> HTTPError {
        HTTPError(.destinationNotWritable, attempting: attempt, "\(Failure.fileIsGone)", underlyingError: Failure.fileIsGone)
    }

    package func removeFile() { try? FileManager.default.removeItem(at: fileURL) }

    /// How the response fits (RFC 9110, 14.4 and 15.3.7).
    package func fit(of response: HTTPResponseHead) -> Fit {
        guard response.status == 206 else { return .startsOver }
        return isRest(response) && isOfSameVersion(response) ? .continues : .isMismatched
    }

    /// Takes the file, to which what comes is appended from then on, under a new name: whoever else has the same resume data finds it gone.
    /// - Throws: ``Failure/fileIsGone`` also if it is not as it was left: then the rest would not make the whole.
    package func takeUp() throws(Failure) -> URL {
        let taken = TemporaryFile.next()
        guard TemporaryFile.rename(fileURL, taken) else { throw .fileIsGone }
        guard Self.length(of: taken) == length else {
            try? FileManager.default.removeItem(at: taken)
            throw .fileIsGone
        }
        return taken
    }

    /// Whether all that is missing comes, and nothing else.
    private func isRest(_ response: HTTPResponseHead) -> Bool {
        guard (response.value(for: "Content-Encoding") ?? "identity").lowercased() == "identity",
            let range = response.value(for: "Content-Range")?.lowercased(), range.hasPrefix("bytes \(length)-")
        else { return false }
        let parts = range.dropFirst("bytes \(length)-".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let last = Self.number(parts[0]), last >= length else { return false }
        if let declared = response.value(for: "Content-Length"), Self.number(declared[...]) != last - length + 1 { return false }
        return parts[1] == "*" || Self.number(parts[1]) == last + 1
    }

    /// The condition should have seen to it; but not every server, or cache in between, looks at it.
    private func isOfSameVersion(_ response: HTTPResponseHead) -> Bool {
        let known = response.value(for: validator.hasPrefix("\"") ? "ETag" : "Last-Modified")
        return known == nil || known == validator
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(digits), number < .max else { return nil }
        return number
    }

    /// What `If-Range` may name (RFC 9110, 13.1.5): a strong entity tag or, without any tag, a date that is strong, being a second older
    /// than its response (8.8.2.2).
    private static func validator(_ response: HTTPResponseHead) -> String? {
        if let tag = response.value(for: "ETag") { return tag.hasPrefix("W/") ? nil : tag }
        guard let modified = response.value(for: "Last-Modified"), let date = response.value(for: "Date"),
            let changed = HTTPDate.parse(modified, now: Date()), let sent = HTTPDate.parse(date, now: Date()),
            sent.timeIntervalSince(changed) >= 1
        else { return nil }
        return modified
    }

    /// `nil` for anything but a file, which whoever names it in resume data would have written to, or removed.
    private static func length(of file: URL) -> Int64? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        return (attributes[.size] as? NSNumber)?.int64Value
    }
}

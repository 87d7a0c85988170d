// SPDX-License-Identifier: MIT

import Foundation

/// A form of several parts, written as `multipart/form-data` (RFC 7578).
///
/// Appending never throws: the first error is kept and thrown when the form is encoded. Parts from memory and from files can be encoded any
/// number of times and give the same bytes each time; a part from a stream can be read only once. A form may be used from one thread at a
/// time.
open class MultipartFormData {
    /// A form whose parts have fewer bytes than this (10,000,000) is sent from memory; a larger one is streamed from its parts.
    public static let encodingMemoryThreshold: UInt64 = 10_000_000

    /// The value for the request's `Content-Type`: `multipart/form-data; boundary=` and ``boundary``.
    open var contentType: String

    /// The bytes of all parts' bodies, without their header fields and the boundaries between them.
    public var contentLength: UInt64 {
        parts.reduce(0) { sum, part in
            let (total, overflows) = sum.addingReportingOverflow(part.body.length)
            return overflows ? .max : total
        }
    }

    /// The text between the parts, used as it is.
    public let boundary: String

    let fileManager: FileManager
    private(set) var parts: [Part] = []
    private(set) var firstError: AFError?

    /// An empty form.
    /// - Parameters:
    ///   - fileManager: What looks at files to append and writes the encoded form.
    ///   - boundary: At most 70 characters that may stand unquoted in a field value (RFC 2046 section 5.1.1); nil chooses one at random.
    public init(fileManager: FileManager = .default, boundary: String? = nil) {
        self.fileManager = fileManager
        self.boundary = boundary ?? BoundaryGenerator.random.boundary()
        contentType = "multipart/form-data; boundary=\(self.boundary)"
    }

    /// An empty form whose boundary the generator chooses.
    public convenience init(fileManager: FileManager = .default, boundaryGenerator: BoundaryGenerator) {
        self.init(fileManager: fileManager, boundary: boundaryGenerator.boundary())
    }

    /// Appends bytes. The file name and the content type are written only if given.
    public func append(_ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
        append(.data(data), fields: Self.fields(name: name, fileName: fileName, mimeType: mimeType))
    }

    /// Appends a file under its own name, its content type derived from the extension: `application/octet-stream` if that is not known.
    ///
    /// Fails with ``AFError/MultipartEncodingFailureReason/bodyPartFilenameInvalid(in:)`` without a name or an extension.
    public func append(_ fileURL: URL, withName name: String) {
        let fileName = fileURL.lastPathComponent
        let pathExtension = fileURL.pathExtension
        guard !fileName.isEmpty, !pathExtension.isEmpty else {
            fail(.bodyPartFilenameInvalid(in: fileURL))
            return
        }
        append(fileURL, withName: name, fileName: fileName, mimeType: MediaTypes.type(forExtension: pathExtension))
    }

    /// Appends a file. It is looked at here and read when the form is encoded or sent; it must not change in between.
    public func append(_ fileURL: URL, withName name: String, fileName: String, mimeType: String) {
        do {
            let length = try MultipartFile.length(of: fileURL, using: fileManager)
            append(.file(fileURL, length: length), fields: Self.fields(name: name, fileName: fileName, mimeType: mimeType))
        } catch {
            firstError = firstError ?? error
        }
    }

    /// Appends a stream that must hold exactly `length` bytes; it is opened when the form is encoded or sent, and read once.
    public func append(_ stream: InputStream, withLength length: UInt64, name: String, fileName: String, mimeType: String) {
        append(stream, withLength: length, headers: Self.fields(name: name, fileName: fileName, mimeType: mimeType))
    }

    /// Appends a stream under header fields of the caller's, written in their order.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        guard length <= Int64.max else {
            fail(.inputStreamReadFailed(error: AFError.UnexpectedInputStreamLength(bytesExpected: length, bytesRead: 0)))
            return
        }
        append(.stream(stream, length: length), fields: headers)
    }

    /// Appends a stream; the file name and the content type are written only if given.
    package func append(
        _ stream: InputStream, withLength length: UInt64, name: String, optionalFileName: String?, optionalMimeType: String?
    ) {
        append(stream, withLength: length, headers: Self.fields(name: name, fileName: optionalFileName, mimeType: optionalMimeType))
    }

    private func append(_ body: Body, fields: HTTPHeaders) {
        for field in fields where (field.name + field.value).utf8.contains(where: Self.breaksField) {
            fail(.outputStreamWriteFailed(error: InvalidField(name: field.name)))
            return
        }
        parts.append(Part(fields: fields, body: body))
    }

    private func fail(_ reason: AFError.MultipartEncodingFailureReason) {
        firstError = firstError ?? .multipartEncodingFailed(reason: reason)
    }
}

extension MultipartFormData {
    /// One part: its header fields and its body.
    struct Part {
        let fields: HTTPHeaders
        let body: Body
    }

    /// Where a part's bytes come from; the lengths were checked to fit in Int64.
    enum Body {
        case data(Data)
        case file(URL, length: UInt64)
        case stream(InputStream, length: UInt64)

        var length: UInt64 {
            switch self {
            case .data(let data): UInt64(data.count)
            case .file(_, let length), .stream(_, let length): length
            }
        }
    }

    /// A part's header field cannot be written: CR, LF or NUL in it would end it early.
    struct InvalidField: LocalizedError {
        let name: String

        var errorDescription: String? {
            "A part's field \(name.debugDescription) holds a line break or NUL, which a field cannot hold."
        }
    }

    private static func breaksField(_ byte: UInt8) -> Bool {
        byte == 0 || byte == 0x0A || byte == 0x0D
    }

    private static func fields(name: String, fileName: String?, mimeType: String?) -> HTTPHeaders {
        var disposition = "form-data; name=\"\(escapedParameter(name))\""
        if let fileName { disposition += "; filename=\"\(escapedParameter(fileName))\"" }
        var fields: HTTPHeaders = [.contentDisposition(disposition)]
        if let mimeType { fields.add(.contentType(mimeType)) }
        return fields
    }

    /// The text for a quoted parameter of `Content-Disposition`: what would end it is percent-encoded, and nothing else, as browsers
    /// do (RFC 7578 section 4.2; the multipart/form-data encoding algorithm of the HTML standard).
    private static func escapedParameter(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): escaped += "%22".utf8
            case 0x0D: escaped += "%0D".utf8
            case 0x0A: escaped += "%0A".utf8
            case 0: escaped += "%00".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

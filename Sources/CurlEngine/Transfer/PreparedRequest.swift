// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// A request in the form in which libcurl takes it, made on the caller's thread: C strings and field lines.
///
/// Making it checks the same as ``HTTPRequest/validated()``, on bytes; the request itself is asked for the error only if a check fails.
struct PreparedRequest: ~Copyable {
    /// With which of libcurl's methods the message is made; CURLOPT_CUSTOMREQUEST then puts another word in its place.
    enum Shape: Sendable {
        case get
        case head
        /// Content from memory, or `Content-Length: 0`.
        case post
        /// Content from the read callback.
        case upload
    }

    /// Whether the request may be sent; if not, nothing else in here is of use.
    let isSendable: Bool
    /// The target URI without user information and fragment.
    let url: UnsafePointer<CChar>
    /// The method, if it is not the one of ``shape``.
    let customMethod: UnsafePointer<CChar>?
    let shape: Shape
    let fields: FieldBlock
    /// What is sent with ``Shape/post``.
    let content: UnsafeRawBufferPointer
    let isSecure: Bool
    /// Whether the caller wants to hear from the server before content is sent (RFC 9110, 10.1.1).
    let expectsContinue: Bool
    private let originLength: Int
    private let hostStart: Int
    private let memory: UnsafeMutablePointer<UInt8>

    init(_ request: borrowing HTTPRequest, multi: MultiHandle) {
        var text = request.url.absoluteString
        var customMethod = request.method
        let shape = Self.shape(of: request)
        switch (shape, request.method) {
        case (.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.upload, "PUT"): customMethod = ""
        default: break
        }
        fields = FieldBlock.of(request.fields, shape: shape, usesProxy: multi.settings.proxies.areUsed, latest: multi.latestFields)

        let small = request.body?.smallContent ?? Data()
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: text.utf8.count + customMethod.utf8.count + 2 + small.count)
        let parts = text.withUTF8 { TargetParts.copy($0, to: memory) }
        let methodStart = memory + (parts.length + 1)
        let methodLength = customMethod.withUTF8 { Self.copy($0, to: methodStart) }
        let contentStart = UnsafeMutableRawBufferPointer(start: methodStart + methodLength + 1, count: small.count)
        small.withUnsafeBytes { contentStart.copyMemory(from: $0) }

        self.memory = memory
        isSendable = parts.originLength > 0 && fields.isSendable && HTTPFields.isToken(request.method)
        url = UnsafeRawPointer(memory).assumingMemoryBound(to: CChar.self)
        self.customMethod = methodLength == 0 ? nil : UnsafeRawPointer(methodStart).assumingMemoryBound(to: CChar.self)
        self.shape = shape
        content = UnsafeRawBufferPointer(contentStart)
        isSecure = parts.isSecure
        expectsContinue = fields.hasExpect && request.body != nil
        originLength = parts.originLength
        hostStart = parts.hostStart
    }

    deinit { memory.deallocate() }

    /// Copies text and a NUL; returns the length without it.
    private static func copy(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if let base = text.baseAddress { memcpy(target, base, text.count) }
        target[text.count] = 0
        return text.count
    }

    /// Content up to this size goes into the same block, and with the head into one packet; more is read from where it is, piece by
    /// piece, which needs no copy of it and shows how far it has come.
    static let largestEnclosedContent = 16_384

    private static func shape(of request: borrowing HTTPRequest) -> Shape {
        guard let body = request.body else {
            switch request.method {
            case "HEAD": return .head
            case "POST", "PUT", "PATCH": return .post
            default: return .get
            }
        }
        return body.smallContent == nil ? .upload : .post
    }

    /// Scheme and authority as they stand in the URL.
    var originName: String {
        String(decoding: UnsafeRawBufferPointer(start: url, count: originLength), as: UTF8.self)
    }

    /// The host, without port and without the brackets of an IPv6 address.
    var host: String {
        var authority = originName.utf8.dropFirst(hostStart)
        if authority.first == UInt8(ascii: "[") {
            return String(decoding: authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
        }
        if let colon = authority.firstIndex(of: UInt8(ascii: ":")) { authority = authority[..<colon] }
        return String(decoding: authority, as: UTF8.self).lowercased()
    }

    func isFor(_ origin: OriginQueue) -> Bool {
        let name = origin.name.utf8
        guard name.count == originLength else { return false }
        return name.withContiguousStorageIfAvailable { memcmp($0.baseAddress!, url, originLength) == 0 } ?? (origin.name == originName)
    }
}

extension HTTPBody {
    /// The content if it is one small piece of memory.
    var smallContent: Data? {
        guard case .segments(let segments) = source, segments.count <= 1 else { return nil }
        guard let segment = segments.first else { return Data() }
        guard case .data(let data) = segment, data.count <= PreparedRequest.largestEnclosedContent else { return nil }
        return data
    }
}

/// Where the parts of a URL's text are.
private struct TargetParts {
    var length = 0
    /// 0 if it is no http or https URL with a host.
    var originLength = 0
    var hostStart = 0
    var isSecure = false

    /// Copies a URL's text without user information and fragment, ended by NUL.
    static func copy(_ url: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> TargetParts {
        func begins(with scheme: StaticString) -> Bool {
            guard url.count > scheme.utf8CodeUnitCount else { return false }
            return (0..<scheme.utf8CodeUnitCount).allSatisfy { HTTPFields.lowercased(url[$0]) == scheme.utf8Start[$0] }
        }
        let isSecure = begins(with: "https://")
        guard isSecure || begins(with: "http://") else { return TargetParts() }
        let authorityStart = isSecure ? 8 : 7
        var end = url.count
        var authorityEnd = url.count
        var hostStart = authorityStart
        for index in authorityStart..<url.count {
            let byte = url[index]
            if byte == UInt8(ascii: "#") {
                end = index
                break
            }
            guard authorityEnd == url.count else { continue }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") {
                authorityEnd = index
            } else if byte == UInt8(ascii: "@") {
                hostStart = index + 1
            }
        }
        authorityEnd = min(authorityEnd, end)
        guard hostStart < authorityEnd, url[hostStart] != UInt8(ascii: ":"), let base = url.baseAddress else { return TargetParts() }
        memcpy(target, base, authorityStart)
        memcpy(target + authorityStart, base + hostStart, end - hostStart)
        let length = authorityStart + end - hostStart
        target[length] = 0
        return TargetParts(
            length: length, originLength: authorityStart + authorityEnd - hostStart, hostStart: authorityStart, isSecure: isSecure)
    }
}
#endif

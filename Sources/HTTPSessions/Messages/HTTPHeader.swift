// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// One field: a name and its value (RFC 9110 section 5).
///
/// Equality and hash are exact; ``HTTPHeaders`` compares names without case. A name or value with CR, LF or NUL is refused when the request
/// is sent. Descriptions and `dump` do not show the values of `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie` and of fields
/// whose names say that they hold tokens, keys or passwords.
public struct HTTPHeader: Equatable, Hashable, Sendable {
    /// The field name as it is sent over HTTP/1.1; HTTP/2 makes it lower-case.
    public let name: String
    /// The field value, secrets included.
    public let value: String

    /// Takes name and value as they are.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    private var printableValue: String {
        SecretNames.holdSecret(field: name) ? SecretNames.placeholder : value
    }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `Name: value`, the value redacted where it is a credential.
    public var description: String { "\(name): \(printableValue)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Name and value, redacted as in ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": printableValue], displayStyle: .struct)
    }
}

extension HTTPHeader {
    /// `Accept`: the media types the answer may have (RFC 9110 section 12.5.1).
    public static func accept(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept", value: value)
    }

    /// `Accept-Charset` (RFC 9110 section 12.5.2; deprecated there).
    public static func acceptCharset(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Charset", value: value)
    }

    /// `Accept-Language` (RFC 9110 section 12.5.4).
    public static func acceptLanguage(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Language", value: value)
    }

    /// `Accept-Encoding`: the content codings the answer may have (RFC 9110 section 12.5.3).
    public static func acceptEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Encoding", value: value)
    }

    /// `Authorization: Basic …` for a user-id and password, in UTF-8 (RFC 7617).
    ///
    /// Base64 hides nothing: send it over https only. A user-id with a colon cannot be told from its password by the server.
    public static func authorization(username: String, password: String) -> HTTPHeader {
        authorization("Basic \(Data("\(username):\(password)".utf8).base64EncodedString())")
    }

    /// `Authorization: Bearer …` (RFC 6750).
    public static func authorization(bearerToken: String) -> HTTPHeader {
        authorization("Bearer \(bearerToken)")
    }

    /// `Authorization` with a value of the caller's: scheme and credentials (RFC 9110 section 11.6.2).
    public static func authorization(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Authorization", value: value)
    }

    /// `Content-Disposition` (RFC 6266).
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }

    /// `Content-Encoding`: the codings already applied to the content (RFC 9110 section 8.4).
    public static func contentEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Encoding", value: value)
    }

    /// `Content-Type`: the media type of the content (RFC 9110 section 8.3).
    public static func contentType(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Type", value: value)
    }

    /// `User-Agent` (RFC 9110 section 10.1.5).
    public static func userAgent(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "User-Agent", value: value)
    }

    /// `Sec-WebSocket-Protocol` (RFC 6455 section 11.3.4).
    public static func websocketProtocol(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Sec-WebSocket-Protocol", value: value)
    }
}

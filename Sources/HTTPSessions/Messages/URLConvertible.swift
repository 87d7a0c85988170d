// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What can stand where a URL is wanted: `String`, `URL` and `URLComponents` do.
public protocol URLConvertible: Sendable {
    /// The URL.
    /// - Throws: ``AFError/invalidURL(url:)`` from the conformances here.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// The text as a URL, taken literally (RFC 3986): nothing is escaped to make it fit, so a space is an error.
    /// - Throws: ``AFError/invalidURL(url:)``, which carries the text without user info and query.
    public func asURL() throws -> URL {
        guard let url = URL(string: self, encodingInvalidCharacters: false) else {
            throw AFError.invalidURL(url: RedactedURL.redact(self))
        }
        return url
    }
}

extension URL: URLConvertible {
    /// The URL itself.
    public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
    /// The URL that the components make.
    /// - Throws: ``AFError/invalidURL(url:)`` if they make none: a host without a leading `/` in the path, for one.
    public func asURL() throws -> URL {
        guard let url else {
            var redacted = self
            redacted.password = nil
            redacted.user = nil
            redacted.query = nil
            throw AFError.invalidURL(url: redacted)
        }
        return url
    }
}

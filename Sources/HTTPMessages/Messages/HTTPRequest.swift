// SPDX-License-Identifier: MIT

import Foundation

/// One request message: control data, header section and body, as a transport sends it once.
public struct HTTPRequest: Sendable {
    /// Case-sensitive (RFC 9110, 9.1); a token.
    public var method: String
    /// The target URI. Its scheme must be `http` or `https`; user information and fragment are not sent.
    public var url: URL
    /// What is sent besides the fields that the transport makes itself (`Host`, `Content-Length`, `Transfer-Encoding`).
    public var fields: HTTPFields
    /// `nil` sends no content and no `Content-Length`, except `Content-Length: 0` for POST, PUT and PATCH (RFC 9110, 8.6).
    public var body: HTTPBody?

    /// A request; nothing is checked before it is sent.
    public init(method: String = "GET", url: URL, fields: HTTPFields = HTTPFields(), body: HTTPBody? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// What was attempted, fit for errors and logs: the method and the URL without its secrets.
    public var redactedDescription: String { "\(method) \(url.redactedDescription)" }

    /// The first reason for which this request must not be sent, if there is one: its scheme, method or a field.
    ///
    /// Every transport asks before it sends anything (RFC 9110, 5.5 and 9.1; RFC 3986, 3.1).
    public func validated() -> HTTPError? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            return HTTPError(
                .unsupportedScheme, attempting: redactedDescription,
                "the scheme “\(url.scheme ?? "")” cannot be sent; use an http or https URL")
        }
        guard let host = url.host(percentEncoded: true), !host.isEmpty else {
            return HTTPError(
                .invalidURL, attempting: redactedDescription, "the URL names no host; give one, as in https://example.com/path")
        }
        guard HTTPFields.isToken(method) else {
            return HTTPError(
                .invalidMethod, attempting: "a request to \(url.redactedDescription)",
                "the method \(method.debugDescription) is not a token; use letters and digits without spaces, such as GET")
        }
        for field in fields {
            guard HTTPFields.isToken(field.name) else {
                return HTTPError(
                    .invalidField, attempting: redactedDescription,
                    "the field name that begins with “\(field.name.prefix { HTTPFields.isToken(String($0)) })” is not a token; "
                        + "use letters, digits and hyphens")
            }
            guard HTTPFields.isSafeValue(field.value) else {
                return HTTPError(
                    .invalidField, attempting: redactedDescription,
                    "the value of the field “\(field.name)” holds a line break or NUL; remove it, or encode it")
            }
        }
        return nil
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same as ``redactedDescription``.
    public var description: String { redactedDescription }
    /// The same, with the fields, secrets left out.
    public var debugDescription: String { fields.isEmpty ? description : "\(description)\n\(fields)" }
    /// Shows what ``debugDescription`` does.
    public var customMirror: Mirror { Mirror(self, children: ["request": debugDescription]) }
}

// SPDX-License-Identifier: MIT

import Foundation

/// How a client shows the authorization server who it is (RFC 6749, 2.3). It does not print the secret.
public struct OAuth2ClientAuthentication: Sendable, Hashable {
    private enum Method: Hashable {
        case none, basic, post, external
    }

    private let method: Method
    private let secret: String

    /// By its identifier alone: a public client, such as a program on a person's machine, which can keep no secret (`none`).
    public static let none = OAuth2ClientAuthentication(method: .none, secret: "")

    /// With a secret, by the Basic scheme (`client_secret_basic`), which every server must take from clients that have one.
    public static func secretBasic(_ secret: String) -> OAuth2ClientAuthentication {
        OAuth2ClientAuthentication(method: .basic, secret: secret)
    }

    /// With a secret in the form (`client_secret_post`), for servers that do not take Basic.
    public static func secretPost(_ secret: String) -> OAuth2ClientAuthentication {
        OAuth2ClientAuthentication(method: .post, secret: secret)
    }

    /// Whoever sends the message adds it.
    package static let external = OAuth2ClientAuthentication(method: .external, secret: "")

    /// What must not come back in a server's words.
    func secrets(clientID: String) -> [String] {
        switch method {
        case .none, .external: []
        case .post: [secret]
        case .basic: [secret, Self.basicCredentials(clientID: clientID, secret: secret)]
        }
    }

    package static func basicFieldValue(clientID: String, secret: String) -> String {
        "Basic \(basicCredentials(clientID: clientID, secret: secret))"
    }

    /// Both are form-encoded first (RFC 6749, 2.3.1), so that a colon in one cannot end it.
    private static func basicCredentials(clientID: String, secret: String) -> String {
        Data("\(FormText.escaped(clientID)):\(FormText.escaped(secret))".utf8).base64EncodedString()
    }

    /// Adds identifier and secret to a request of these parameters.
    func apply(clientID: String, to parameters: inout [(name: String, value: String)], _ message: inout OAuth2Message) {
        switch method {
        case .none:
            parameters.append(("client_id", clientID))
        case .post:
            parameters += [("client_id", clientID), ("client_secret", secret)]
        case .basic:
            message.fields["Authorization"] = Self.basicFieldValue(clientID: clientID, secret: secret)
        case .external: break
        }
    }
}

extension OAuth2ClientAuthentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, without the secret.
    public var description: String {
        switch method {
        case .none: "none"
        case .basic: "client_secret_basic"
        case .post: "client_secret_post"
        case .external: "external"
        }
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["method": description], displayStyle: .struct) }
}

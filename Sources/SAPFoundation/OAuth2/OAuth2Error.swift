// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an authorization server answers when it refuses (RFC 6749, 4.1.2.1 and 5.2).
public struct OAuth2ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `invalid_grant`, `invalid_client`, …
    public let error: String
    /// The server's own words.
    public let errorDescription: String?
    /// Where more is told.
    public let errorURI: String?

    /// What a server has answered.
    public init(error: String, errorDescription: String? = nil, errorURI: String? = nil) {
        self.error = error
        self.errorDescription = errorDescription
        self.errorURI = errorURI
    }

    /// The code, and the server's words without control characters.
    public var description: String {
        let code = PromptText.harmless(error)
        return errorDescription.map { "\(code) (\(PromptText.harmless($0)))" } ?? code
    }
}

/// Why there is no token, or none that is taken. No token is part of a description.
public enum OAuth2Error: SAPError {
    /// The authorization server refused.
    case server(error: OAuth2ServerError)
    /// The page on which the person logs in could not be shown, or came to no end.
    case webView(error: any Error)
    /// An argument does not make sense.
    case invalidArgument(detail: String)
    /// The request for a token failed.
    case http(error: any Error, statusCode: Int?, response: String?)
    /// There was no response.
    case missingHTTPResponse
    /// The answer could not be read.
    case parse(error: String, httpUrlResponse: HTTPURLResponse, data: Data)
    /// Another log-in is under way.
    case authenticationInProgress
    /// The redirect brought no authorization code, or not for this log-in.
    case authorizationCode
    /// A fresh token was refused, too.
    case tokenRejected
    /// A person would have to be asked while the app is in the background.
    case backgroundAuthentication
    /// The log-in was cancelled.
    case cancelled
    /// The log-in page was loaded anew.
    case webViewReloaded

    /// One sentence, without what the server sent in its content.
    public var description: String {
        switch self {
        case .server(let error): "The authorization server refused: \(error)."
        case .webView(let error): "The log-in page could not be used: \(error)."
        case .invalidArgument(let detail): "The argument is not valid: \(detail)."
        case .http(_, let statusCode, _): "The request for a token failed" + (statusCode.map { " with status \($0)." } ?? ".")
        case .missingHTTPResponse: "The token endpoint gave no response."
        case .parse(let error, let response, _):
            "The token endpoint's answer, with status \(response.statusCode), could not be read: \(error)."
        case .authenticationInProgress: "Another log-in is under way."
        case .authorizationCode: "The redirect brought no authorization code for this log-in."
        case .tokenRejected: "A fresh token was refused; the user or the client may lack the rights."
        case .backgroundAuthentication: "Logging in needs a person, and the app is in the background."
        case .cancelled: "The log-in was cancelled."
        case .webViewReloaded: "The log-in page was loaded anew; begin again."
        }
    }
}

extension OAuth2Error: CustomReflectable {
    /// Shows what `description` does: a token endpoint's content may hold tokens.
    public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}

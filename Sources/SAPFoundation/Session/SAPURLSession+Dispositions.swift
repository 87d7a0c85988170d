// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SAPURLSession {
    /// What becomes of a request that is about to be sent.
    public enum RequestDisposition: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// It goes on as this request, to the next observer or to the network.
        case use(URLRequest)
        /// The task ends with this error.
        case cancel(any Error)

        /// The case, with method and redacted URL of the request.
        public var description: String {
            switch self {
            case .use(let request): "use(\(request.redactedDescription))"
            case .cancel(let error): "cancel(\(error))"
            }
        }
        /// The same as ``description``.
        public var debugDescription: String { description }
        /// Shows what ``description`` does.
        public var customMirror: Mirror { Mirror(self, children: ["disposition": description]) }
    }

    /// What becomes of a challenge.
    public enum AuthChallengeDisposition: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The request is sent again with this credential.
        case use(URLCredential)
        /// Not mine: the next one is asked, at last the platform.
        case performDefaultHandling
        /// This challenge is taken as refused; the server's next one is looked at.
        case rejectProtectionSpace
        /// The task ends with this error.
        case cancel(any Error)

        /// The case, without the credential.
        public var description: String {
            switch self {
            case .use: "use(redacted)"
            case .performDefaultHandling: "performDefaultHandling"
            case .rejectProtectionSpace: "rejectProtectionSpace"
            case .cancel(let error): "cancel(\(error))"
            }
        }
        /// The same as ``description``.
        public var debugDescription: String { description }
        /// Shows what ``description`` does.
        public var customMirror: Mirror { Mirror(self, children: ["disposition": description]) }
    }

    /// What becomes of a response whose head has arrived.
    public enum ResponseDisposition: Sendable {
        /// Not mine: the next one is asked; at last the response is delivered.
        case allow
        /// The content goes into a file.
        case becomeDownload
        /// The response is dropped, and the original request starts once more.
        case resend
        /// The task ends with this error.
        case cancel(any Error)
    }

    /// What becomes of a redirect.
    public enum HTTPRedirectDisposition: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// This request is sent, unless the next one who is asked changes it.
        case follow(URLRequest)
        /// The redirecting response is delivered.
        case doNotFollow
        /// The redirect is dropped, and the original request starts once more.
        case resend
        /// The task ends with this error.
        case cancel(any Error)

        /// The case, with method and redacted URL of the request.
        public var description: String {
            switch self {
            case .follow(let request): "follow(\(request.redactedDescription))"
            case .doNotFollow: "doNotFollow"
            case .resend: "resend"
            case .cancel(let error): "cancel(\(error))"
            }
        }
        /// The same as ``description``.
        public var debugDescription: String { description }
        /// Shows what ``description`` does.
        public var customMirror: Mirror { Mirror(self, children: ["disposition": description]) }
    }
}

extension URLRequest {
    /// The method and the URL without its secrets.
    fileprivate var redactedDescription: String { "\(httpMethod ?? "GET") \(url?.redactedDescription ?? "without a URL")" }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a session's configuration means for its exchanges, read once.
struct ExchangeSettings: Sendable {
    /// Sent with every message that does not set a field of that name.
    var defaultFields = HTTPFields()
    /// `nil` neither sends nor stores cookies.
    var cookieStorage: HTTPCookieStorage?
    var sendsCookies = true
    var cookieAcceptPolicy = HTTPCookie.AcceptPolicy.always
    /// Where credentials for a challenge are looked up if the request has none.
    var credentialStorage: URLCredentialStorage?
    /// Credentials that servers have accepted.
    var credentials = CredentialsCache()
    /// Schemes that the transport answers by itself.
    var transportSchemes: Set<AuthenticationScheme> = []
    /// The proxies in use, whose challenges belong to their own protection spaces.
    var proxy = ProxyPolicy.none
    /// Redirects that one exchange follows; Fetch and curl allow 20 and 50.
    var redirectLimit = 20
    /// For requests that set no interval of their own.
    var idleTimeout: Duration? = .seconds(60)
    var resourceTimeout: Duration? = .seconds(604_800)
}

extension ExchangeSettings {
    init(_ configuration: URLSessionConfiguration, acceptedContentCodings: String?) {
        if let fields = configuration.httpAdditionalHeaders {
            for (name, value) in fields {
                guard let name = name as? String, let value = value as? String else { continue }
                // The default names what the default transport undoes; this one may undo less.
                if value == HTTPHeader.defaultAcceptEncoding.value, HTTPFields.equal(name, "Accept-Encoding") { continue }
                defaultFields.append(name: name, value: value)
            }
        }
        // What the transport cannot undo must not be asked for.
        if let codings = acceptedContentCodings {
            if !defaultFields.contains(name: "Accept-Encoding") {
                defaultFields.append(name: "Accept-Encoding", value: codings)
            }
        }
        cookieStorage = configuration.httpCookieStorage
        sendsCookies = configuration.httpShouldSetCookies
        cookieAcceptPolicy = configuration.httpCookieAcceptPolicy
        credentialStorage = configuration.urlCredentialStorage
        idleTimeout = Self.limit(configuration.timeoutIntervalForRequest)
        resourceTimeout = Self.limit(configuration.timeoutIntervalForResource)
    }

    /// What a transport with these capabilities answers by itself.
    static func transportSchemes(of capabilities: TransportCapabilities) -> Set<AuthenticationScheme> {
        var schemes: Set<AuthenticationScheme> = []
        if capabilities.contains(.ntlm) { schemes.insert(.ntlm) }
        if capabilities.contains(.negotiate) { schemes.insert(.negotiate) }
        return schemes
    }

    /// No time at all, endless time and what is not a number mean no limit.
    private static func limit(_ interval: TimeInterval) -> Duration? {
        interval > 0 && interval < 1e12 ? .seconds(interval) : nil
    }

    /// The time limits of a request.
    ///
    /// Foundation does not tell whether `timeoutInterval` was set, so its default of 60 s stands for the configuration's.
    func timeouts(for request: URLRequest) -> Timeouts {
        let interval = request.timeoutInterval
        return Timeouts(connect: nil, idle: interval == 60 ? idleTimeout : Self.limit(interval), resource: resourceTimeout)
    }
}

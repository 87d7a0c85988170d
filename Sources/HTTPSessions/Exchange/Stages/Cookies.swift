// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends the cookies that apply and stores those that a response sets (RFC 6265), by way of Foundation's storage.
struct Cookies: ExchangeStage {
    private let storage: HTTPCookieStorage
    private let sends: Bool
    private let acceptPolicy: HTTPCookie.AcceptPolicy

    init(_ storage: HTTPCookieStorage, sends: Bool, acceptPolicy: HTTPCookie.AcceptPolicy) {
        self.storage = storage
        self.sends = sends
        self.acceptPolicy = acceptPolicy
    }

    /// A `Cookie` field that the caller set is left alone.
    func prepare(_ message: inout HTTPRequest, options: inout TransferOptions, in exchange: Exchange) {
        guard sends, exchange.handlesCookies, storage.cookies?.isEmpty == false, !message.fields.contains(name: "Cookie") else { return }
        let cookies = CookieRules.cookies(in: storage, for: message.url)
        guard !cookies.isEmpty, let value = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"] else { return }
        message.fields.append(name: "Cookie", value: value)
    }

    /// Each `Set-Cookie` field is read by itself: joined ones cannot be told apart at a comma, which dates hold, too.
    func followUp(to head: HTTPResponseHead, of message: HTTPRequest, in exchange: Exchange) -> FollowUp {
        guard exchange.handlesCookies, acceptPolicy != .never else { return .deliver }
        for value in head.values(for: "Set-Cookie") where isAcceptable(from: message.url, for: exchange.mainDocumentURL) {
            let cookies = CookieRules.cookies(in: value, from: message.url)
            guard !cookies.isEmpty else { continue }
            storage.setCookies(cookies, for: message.url, mainDocumentURL: exchange.mainDocumentURL)
        }
        return .deliver
    }

    /// Whether the policy takes cookies of `url`; a request without a main document is its own.
    private func isAcceptable(from url: URL, for mainDocument: URL?) -> Bool {
        guard acceptPolicy == .onlyFromMainDocumentDomain, let mainHost = mainDocument?.host?.lowercased(),
            let host = url.host?.lowercased()
        else { return true }
        return host == mainHost || host.hasSuffix(".\(mainHost)") || mainHost.hasSuffix(".\(host)")
    }
}

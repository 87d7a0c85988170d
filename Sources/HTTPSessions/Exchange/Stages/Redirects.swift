// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Follows redirects (RFC 9110, 15.4), or lets the caller's handler decide.
struct Redirects: ExchangeStage {
    let limit: Int

    func followUp(to head: HTTPResponseHead, of message: HTTPRequest, in exchange: Exchange) -> FollowUp {
        guard 300..<400 ~= head.status else { return .deliver }
        let handler = exchange.delegate.effectiveRedirectHandler
        let base = exchange.base
        let decision = Redirect.decide(head, for: base, count: exchange.redirectCount, limit: limit)
        guard let handler, case .follow(let proposed) = decision else { return decision.followUp }
        return .ask { decide in
            handler.task(
                exchange.delegate.currentTask, willBeRedirectedTo: URLRequest(proposed), for: HTTPURLResponse(head, url: message.url)
            ) { request in
                guard let request else { return decide(.deliver) }
                // The proposal shows only content that is in memory; what else there is stays, unless the handler made a GET of it.
                let keepsBody = request.httpBody == nil && request.httpBodyStream == nil && request.httpMethod == proposed.method
                guard let modified = HTTPRequest(request, body: keepsBody ? proposed.body : nil) else {
                    return decide(
                        .fail(
                            HTTPError(
                                .invalidURL, attempting: base.redactedDescription, "the redirect handler returned a request without a URL"))
                    )
                }
                decide(.redirect(modified))
            }
        }
    }
}

/// What a redirecting response means for the request that met it; a value, so that its rules can be read and tested as a table.
enum Redirect {
    case deliver
    case follow(HTTPRequest)
    case fail(HTTPError)

    var followUp: FollowUp {
        switch self {
        case .deliver: .deliver
        case .follow(let request): .redirect(request)
        case .fail(let error): .fail(error)
        }
    }

    /// - Parameter count: how many redirects were followed already.
    static func decide(_ head: HTTPResponseHead, for request: HTTPRequest, count: Int, limit: Int) -> Redirect {
        switch head.status {
        case 301, 302, 303, 307, 308: break
        default: return .deliver
        }
        guard let location = head.value(for: "Location"), !location.isEmpty else { return .deliver }
        guard count < limit else {
            return .fail(
                HTTPError(
                    .redirectLimitReached, attempting: request.redactedDescription,
                    "the server redirected \(limit) times; it probably redirects in a circle"))
        }
        guard let target = url(location, relativeTo: request.url) else {
            return .fail(
                HTTPError(.redirectRefused, attempting: request.redactedDescription, "the server redirects to something that is not a URL"))
        }
        guard let scheme = target.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            return .fail(
                HTTPError(
                    .unsupportedScheme, attempting: request.redactedDescription,
                    "the server redirects to the scheme “\(target.scheme ?? "")”; only http and https are followed"))
        }
        guard let origin = Origin(url: target) else {
            return .fail(
                HTTPError(.redirectRefused, attempting: request.redactedDescription, "the server redirects to a URL that names no host"))
        }
        return .follow(following(request, to: target, origin: origin, status: head.status))
    }

    private static func url(_ location: String, relativeTo base: URL) -> URL? {
        guard let url = URL(string: location, relativeTo: base)?.absoluteURL, url.scheme != nil else { return nil }
        // The fragment is inherited if the target has none (RFC 9110, 10.2.2).
        guard let fragment = base.fragment(percentEncoded: true), url.fragment == nil else { return url }
        return URL(string: "\(url.absoluteString)#\(fragment)") ?? url
    }

    /// 303 asks for GET, except after HEAD; 301 and 302 turn POST into GET, as every user agent does (RFC 9110, 15.4.2 and 15.4.3, notes);
    /// 307 and 308 repeat the request as it was.
    private static func following(_ request: HTTPRequest, to target: URL, origin: Origin, status: Int) -> HTTPRequest {
        var next = request
        next.url = target
        let becomesGET = status == 303 ? request.method != "HEAD" : (status == 301 || status == 302) && request.method == "POST"
        if becomesGET {
            next.method = "GET"
            next.body = nil
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Transfer-Encoding"]
            {
                next.fields[name] = nil
            }
        }
        next.fields["Host"] = nil
        if origin != Origin(url: request.url) {
            for name in ["Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "WWW-Authenticate"] {
                next.fields[name] = nil
            }
        }
        return next
    }
}

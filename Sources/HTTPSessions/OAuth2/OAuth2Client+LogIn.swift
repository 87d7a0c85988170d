// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPAuthentication
import HTTPMessages

extension OAuth2Client {
    /// Has a person log in with the system's browser, and gets the token (authorization code with PKCE, RFC 7636; native apps, RFC 8252).
    ///
    /// It listens on 127.0.0.1 for where the log-in page leads, and shows the browser a closing page. A redirect that does not belong to
    /// this log-in ends it with an error; other requests to that port change nothing. It waits for as long as the person takes: cancel the
    /// task to end it.
    /// - Parameters:
    ///   - scopes: what the token is to be good for; empty leaves that to the server.
    ///   - redirectPath: as registered at the server, with a slash in front. The port is not part of what servers compare (RFC 8252, 7.3).
    ///   - port: to listen on, for servers that do compare it. Default: one that is free.
    ///   - additionalParameters: what the page wants besides, such as `login_hint`.
    ///   - open: shows the page; ``SystemBrowser/open(_:)`` by default. It may return before the person has logged in.
    /// - Throws: `OAuth2ClientError`.
    public func logIn(
        scopes: Set<String> = [], redirectPath: String = "/", port: Int = 0, additionalParameters: [String: String] = [:],
        opening open: @escaping @Sendable (URL) async throws -> Void = { try await SystemBrowser.open($0) }
    ) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        let attempt = "The log-in with the browser"
        guard 0...65_535 ~= port, redirectPath.hasPrefix("/"), !redirectPath.contains(where: { $0 == "?" || $0 == "#" }),
            let wanted = URL(string: "http://127.0.0.1:\(port)\(redirectPath)")
        else {
            throw OAuth2ClientError(
                .invalidArgument, attempting: attempt, "the redirect's path and port make no URL; begin the path with a slash")
        }
        let redirect: LoopbackRedirect
        do {
            redirect = try LoopbackRedirect(wanted)
        } catch {
            throw OAuth2ClientError(
                .redirectUnavailable, attempting: attempt, "\(error); use a port that is free, or 0", underlyingError: error)
        }
        guard let redirectURL = URL(string: "http://127.0.0.1:\(redirect.port)\(redirectPath)") else {
            throw OAuth2ClientError(.invalidArgument, attempting: attempt, "the redirect's path makes no URL")
        }
        let request = try authorizationRequest(
            redirectURL: redirectURL, scopes: scopes, additionalParameters: additionalParameters)
        let code = try await code(for: request, redirect, open)
        return try await token(for: request, code: code)
    }

    private func code(
        for request: OAuth2AuthorizationRequest, _ redirect: LoopbackRedirect, _ open: @escaping @Sendable (URL) async throws -> Void
    ) async throws(OAuth2ClientError) -> String {
        let attempt = "The log-in with the browser"
        let answer = Locked<Result<String, OAuth2ClientError>?>(nil)
        let failure = Locked<(any Error)?>(nil)
        // Not awaited once the redirect has come: a browser may go on showing the closing page.
        let opening = Task {
            do {
                try await open(request.pageURL)
            } catch {
                failure.withLock { $0 = error }
                redirect.stop()
            }
        }
        await awaitingCallback(onCancel: {
            redirect.stop()
            opening.cancel()
        }) { callback in
            redirect.wait { target in
                let result = Self.code(in: target, of: request)
                answer.withLock { $0 = result }
                switch result {
                case .success: return .ended
                case .failure(let error): return .refused(error.description)
                }
            } _: { _ in
                callback(())
            }
        }
        if let answer = answer.withLock({ $0 }) { return try answer.get() }
        if Task.isCancelled { throw OAuth2ClientError(.cancelled, attempting: attempt, "it was cancelled") }
        let failed = failure.withLock { $0 }
        if let error = failed as? OAuth2ClientError { throw error }
        guard let failed else {
            throw OAuth2ClientError(.redirectUnavailable, attempting: attempt, "the redirect could not be waited for; try again")
        }
        throw OAuth2ClientError(
            .browserUnavailable, attempting: attempt, "the page could not be opened (\(type(of: failed))); open it in another way",
            underlyingError: failed)
    }

    private static func code(in target: String, of request: OAuth2AuthorizationRequest) -> Result<String, OAuth2ClientError> {
        // The target has the redirect's path; the parameters are the page's.
        let query = target.drop { $0 != "?" }
        let url = URL(string: request.redirectURL.absoluteString + query)
        do throws(OAuth2ClientError) {
            return .success(try request.code(in: url ?? request.redirectURL))
        } catch {
            return .failure(error)
        }
    }
}
#endif

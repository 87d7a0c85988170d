// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends one request of an `OAuth2Client` over a session, and keeps what came back for the errors that show it.
final class SessionMessageSender: OAuth2MessageSending, @unchecked Sendable {  // `authorize` is called once, before anything is sent
    private struct Seen {
        var response: HTTPURLResponse?
        var data: Data?
        var authorizationError: (any Error)?
    }

    private let session: SAPURLSession
    private let authorize: (URLRequest) throws -> URLRequest
    private let seen = Locked(Seen())

    /// `authorize`: adds the client's credentials.
    init(_ session: SAPURLSession, authorize: @escaping (URLRequest) throws -> URLRequest = { $0 }) {
        self.session = session
        self.authorize = authorize
    }

    func send(_ message: OAuth2Message, contentLimit: Int) async throws -> (head: HTTPResponseHead, content: Data) {
        var request = URLRequest(url: message.url)
        request.httpMethod = message.method
        for field in message.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        request.httpBody = message.content
        do {
            request = try authorize(request)
        } catch {
            seen.withLock { $0.authorizationError = error }
            throw error
        }
        let begun = Locked<SAPURLSessionTask?>(nil)
        let (data, response, error) = await awaitingCallback(onCancel: { begun.withLock { $0 }?.cancel() }) {
            (callback: @escaping @Sendable ((Data?, HTTPURLResponse?, (any Error)?)) -> Void) in
            let task = session.dataTask(with: request) { data, response, error in callback((data, response as? HTTPURLResponse, error)) }
            // What is sent there is for nobody else.
            task.followsRedirects = false
            begun.withLock { $0 = task }
            task.resume()
            // A cancellation that came before this point found no task.
            if Task.isCancelled { task.cancel() }
        }
        seen.withLock { seen in
            seen.response = response
            seen.data = data
        }
        if let error { throw error }
        guard let response else {
            throw HTTPError(.noResponse, attempting: "a request to the authorization server", "there was no response")
        }
        let content = data ?? Data()
        guard content.count <= contentLimit else {
            throw HTTPError(.contentTooLarge, attempting: "a request to the authorization server", "its answer is too long")
        }
        var fields = HTTPFields()
        fields["Content-Type"] = response.value(forHTTPHeaderField: "Content-Type")
        return (HTTPResponseHead(status: response.statusCode, fields: fields), content)
    }

    // MARK: Errors

    /// What the callers of this module know the failure as.
    func publicError(for error: OAuth2ClientError) -> any Error {
        let seen = seen.withLock { $0 }
        if let error = seen.authorizationError { return error }
        switch error.kind {
        case .unreachable:
            guard let underlying = error.underlyingError, (underlying as? HTTPError)?.kind != .noResponse else {
                return OAuth2Error.missingHTTPResponse
            }
            if (underlying as? URLError)?.code == .cancelled { return OAuth2Error.cancelled }
            return OAuth2Error.http(error: underlying, statusCode: seen.response?.statusCode, response: nil)
        case .timedOut: return OAuth2Error.http(error: URLError(.timedOut), statusCode: seen.response?.statusCode, response: nil)
        case .malformedResponse, .tokenTypeNotSupported, .expiredOnArrival:
            guard let response = seen.response else { return OAuth2Error.missingHTTPResponse }
            return OAuth2Error.parse(error: error.reason, httpUrlResponse: response, data: seen.data ?? Data())
        default: return OAuth2Error.of(error)
        }
    }
}

extension OAuth2Error {
    /// The case that says what a client of `HTTPAuthentication` has met before there was an answer, or in its status.
    static func of(_ error: OAuth2ClientError) -> OAuth2Error {
        if let code = error.serverCode {
            return .server(
                error: OAuth2ServerError(error: code, errorDescription: error.serverDescription, errorURI: error.serverURI))
        }
        switch error.kind {
        case .cancelled: return .cancelled
        case .stateMismatch, .malformedRedirect, .alreadyUsed, .issuerMismatch: return .authorizationCode
        case .missingRefreshToken, .invalidArgument, .missingEndpoint, .insecureEndpoint: return .invalidArgument(detail: error.reason)
        case .browserUnavailable, .redirectUnavailable: return .webView(error: error)
        case .responseTooLarge: return .http(error: URLError(.dataLengthExceedsMaximum), statusCode: error.status, response: nil)
        case .unexpectedStatus, .redirected: return .http(error: URLError(.badServerResponse), statusCode: error.status, response: nil)
        default: return .http(error: error, statusCode: error.status, response: nil)
        }
    }
}

extension OAuth2Token {
    init(_ token: OAuth2TokenResponse) {
        self.init(
            accessToken: token.accessToken, tokenType: token.tokenType, expiryDate: token.expiryDate, scopes: token.scopes,
            refreshToken: token.refreshToken)
    }

    var response: OAuth2TokenResponse {
        OAuth2TokenResponse(
            accessToken: accessToken, tokenType: tokenType, expiryDate: expiryDate, scopes: scopes, refreshToken: refreshToken)
    }
}

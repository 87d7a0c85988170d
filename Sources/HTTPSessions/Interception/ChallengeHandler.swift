// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers the challenges of servers and proxies: what `urlSession(_:task:didReceive:completionHandler:)` is to a `URLSession`.
///
/// It is asked about Basic, Digest, NTLM and Negotiate, each 401 and each 407, tunnels of https requests included; of several schemes the
/// strongest first. The credential of the request itself (``Request/authenticate(with:)``), or the one in its URL, goes before it, once and
/// unasked; refused, it is the proposed one. Of time limits only the resource's runs meanwhile: a person may be typing.
///
/// A server's wish for a client certificate cannot be seen over libcurl: configure the certificate ahead (`TLSConfiguration`'s
/// `clientCertificate`).
public protocol ChallengeHandler: Sendable {
    /// Whether it is asked about the certificates of https servers, too, if it is the session's handler. Default: no, and the configuration
    /// decides about them alone. Only the engine over libcurl asks.
    ///
    /// The first message to each server then takes a connection more, on which nothing is sent. Such a challenge shows
    /// `serverCertificates`. `useCredential` with a ``ServerTrustCredential`` agrees to exactly these, whatever the system thinks of them;
    /// `performDefaultHandling` agrees to them if the system does; anything else fails the request. The answer holds for this chain, host
    /// and port as long as the session lives; requests that wait for it share it. What a ``ServerTrustManager`` says of the host holds
    /// besides: a yes does not undo a pin.
    var answersServerTrust: Bool { get }

    /// What to do about `challenge`, in Foundation's words:
    ///
    /// | answer | what follows |
    /// | --- | --- |
    /// | `useCredential` | the request is sent again with the credential; one that was refused before delivers the response instead |
    /// | `performDefaultHandling` | the proposed credential is used, or Negotiate's tickets; else the next scheme is asked about, at last the response delivered |
    /// | `rejectProtectionSpace`, `useCredential` without a credential | the next scheme is asked about, at last the response delivered |
    /// | `cancelAuthenticationChallenge` | the request fails with `URLError.userCancelledAuthentication` |
    ///
    /// `challenge` holds the protection space (origin and realm; `isProxy()` for a proxy), how many answers the space has refused, and the
    /// response, whose URL is the one that asks, after redirects. A credential without persistence is used for this request alone; another
    /// one is sent ahead of later challenges in the same space. When the request is cancelled, so is the task that waits for the answer.
    nonisolated(nonsending) func answer(
        _ challenge: URLAuthenticationChallenge, for request: Request
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

extension ChallengeHandler {
    /// No.
    public var answersServerTrust: Bool { false }
}

/// A challenge handler made of a closure.
public struct ClosureChallengeHandler: ChallengeHandler {
    /// Answers one challenge; see ``ChallengeHandler/answer(_:for:)``.
    public typealias Answer =
        @Sendable (_ challenge: URLAuthenticationChallenge, _ request: Request) async -> (
            URLSession.AuthChallengeDisposition, URLCredential?
        )

    /// Whether the closure is asked about servers' certificates, too.
    public let answersServerTrust: Bool
    private let closure: Answer

    /// A handler that asks `answer`; about servers' certificates only with `answersServerTrust` (``ChallengeHandler/answersServerTrust``).
    public init(answersServerTrust: Bool = false, _ answer: @escaping Answer) {
        self.answersServerTrust = answersServerTrust
        closure = answer
    }

    /// Asks the closure.
    public nonisolated(nonsending) func answer(
        _ challenge: URLAuthenticationChallenge, for request: Request
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await closure(challenge, request)
    }
}

extension ChallengeHandler where Self == ClosureChallengeHandler {
    /// A handler that asks `answer`; about servers' certificates only with `serverTrust`.
    public static func answering(serverTrust: Bool = false, _ answer: @escaping ClosureChallengeHandler.Answer) -> ClosureChallengeHandler {
        ClosureChallengeHandler(answersServerTrust: serverTrust, answer)
    }
}

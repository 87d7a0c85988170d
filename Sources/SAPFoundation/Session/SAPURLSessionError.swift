// SPDX-License-Identifier: MIT

/// Why a session could not do what it was asked for. Failures of the network are `URLError`s.
public enum SAPURLSessionError: SAPError {
    /// The request has no URL, or one whose scheme is neither http nor https.
    case invalidRequest
    /// The request's method does not fit the kind of task.
    case unexpectedHTTPMethod
    /// The session was invalidated.
    case invalidURLSession
    /// No CSRF token came back; the text, if any, says why. (The spelling is the interface's.)
    case failedToRetriveCSRFToken(String?)

    /// One sentence.
    public var description: String {
        switch self {
        case .invalidRequest: "The request has no URL, or one that is neither http nor https."
        case .unexpectedHTTPMethod: "The request's method does not fit this kind of task."
        case .invalidURLSession: "The session was invalidated; make a new one."
        case .failedToRetriveCSRFToken(let detail):
            "The server gave no CSRF token" + (detail.map { ": \($0)." } ?? ".")
        }
    }
}

/// Limits of the pipeline, and what a platform cannot do.
public enum SAPURLSessionPipelineError: SAPError {
    /// The request was sent again `limit` times, by observers or with credentials, and was to be sent once more.
    case tooManyResends(limit: Int)
    /// The request's content is a stream that can be read only once and was, and the delegate supplied no other one.
    case bodyNotReplayable
    /// A download cannot go on from its resume data; the text says why.
    case invalidResumeData(String)
    /// The proxy `host` asks for credentials before it opens a tunnel, which this engine cannot give it.
    case proxyTunnelAuthenticationUnsupported(host: String)
    /// This cannot be done here; the text says what, and what to do instead.
    case unsupported(String)

    /// One sentence, or two.
    public var description: String {
        switch self {
        case .tooManyResends(let limit): "The request was sent again \(limit) times without success; it will not be sent once more."
        case .bodyNotReplayable:
            "The request has to be sent, but its content comes from a stream that can be read only once, and there is no new one. "
                + "Send it from data or a file, or let the delegate supply a new stream."
        case .invalidResumeData(let reason): reason
        case .proxyTunnelAuthenticationUnsupported(let host):
            "The proxy \(host) asks for credentials for an https tunnel, which this engine cannot answer. "
                + "Put user name and password into the URL in https_proxy."
        case .unsupported(let what): what
        }
    }
}

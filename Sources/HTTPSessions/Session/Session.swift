// SPDX-License-Identifier: MIT

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import HTTPMessages

/// Makes requests and sends them: the owner of connections, cookies, credentials and everything else that requests share.
///
/// A request that is under way is held by its session. When the session is let go of, its requests fail with `AFError.sessionDeinitialized`.
open class Session: @unchecked Sendable {  // what changes is behind `active` and `foundationSession`; subclasses see to theirs
    /// When requests are made.
    public enum RequestSetup: Sendable {
        /// When they are resumed. The default.
        case lazy
        /// When the session is asked for them.
        case eager
    }

    /// A session with the default configuration, which lives as long as the process.
    public static let `default` = Session()

    /// The queue whose order the session's events keep. They do not run on it unless the initialiser was given one.
    public let rootQueue: DispatchQueue
    /// Where requests are made and adapted, if the initialiser was given one; the thread that resumes them otherwise.
    public let requestQueue: DispatchQueue
    /// Where response serializers run.
    public let serializationQueue: DispatchQueue
    /// Whether the first response handler resumes a request.
    public let startRequestsImmediately: Bool
    /// When requests are made.
    public let requestSetup: RequestSetup
    /// Adapts and retries every request, before its own interceptor.
    public let interceptor: (any RequestInterceptor)?
    /// Judges the servers' certificates.
    public let serverTrustManager: ServerTrustManager?
    /// Decides about redirects of requests that have no handler of their own.
    public let redirectHandler: (any RedirectHandler)?
    /// Decides about storing responses of requests that have no handler of their own.
    public let cachedResponseHandler: (any CachedResponseHandler)?
    /// Hears of every request's events.
    public let eventMonitor: CompositeEventMonitor
    /// Stands for the delegate of a `URLSession`.
    public let delegate: SessionDelegate
    /// A copy of what the session was made with.
    public let sessionConfiguration: URLSessionConfiguration
    /// What a request must not go beyond.
    public let limits: SessionLimits
    /// What sends the session's messages.
    package let transport: any HTTPTransport

    let customRequestQueue: DispatchQueue?
    let settings: ExchangeSettings
    let path: RequestPath
    private let active = Locked<[ObjectIdentifier: Request]>([:])
    private let foundationSession: Locked<URLSession?>

    /// The designated initialiser, of which the others are shorter forms.
    init(parts: SessionParts) {
        rootQueue = parts.rootQueue
        requestQueue = parts.requestQueue ?? parts.rootQueue
        customRequestQueue = parts.requestQueue ?? (QueueMark.isOwn(parts.rootQueue) ? nil : parts.rootQueue)
        serializationQueue = parts.serializationQueue ?? DispatchQueue(label: "openmoya.serialization", attributes: .concurrent)
        startRequestsImmediately = parts.startRequestsImmediately
        requestSetup = parts.requestSetup
        interceptor = parts.interceptor
        serverTrustManager = parts.serverTrustManager
        redirectHandler = parts.redirectHandler
        cachedResponseHandler = parts.cachedResponseHandler
        eventMonitor = CompositeEventMonitor(monitors: parts.eventMonitors)
        delegate = parts.delegate
        sessionConfiguration = parts.configuration
        limits = parts.limits
        transport = parts.transport
        var settings = ExchangeSettings(parts.configuration, acceptedContentCodings: parts.transport.acceptedContentCodings)
        settings.redirectLimit = parts.limits.redirects
        self.settings = settings
        path = RequestPath(settings: settings)
        foundationSession = Locked(parts.foundationSession)
    }

    deinit {
        let requests = active.withLock { active in
            defer { active = [:] }
            return active.values
        }
        for request in requests { request.cancel(with: .sessionDeinitialized) }
        transport.shutDown(cancellingTransfers: true)
    }

    /// A session of Foundation's with the same configuration; made when somebody first asks. Requests do not go through it unless the session was
    /// made with ``init(session:delegate:rootQueue:startRequestsImmediately:requestSetup:requestQueue:serializationQueue:interceptor:serverTrustManager:redirectHandler:cachedResponseHandler:eventMonitors:)``.
    public var session: URLSession {
        foundationSession.withLock { session in
            if let session { return session }
            let made = URLSession(configuration: sessionConfiguration)
            session = made
            return made
        }
    }

    // MARK: Requests under way

    func register(_ request: Request) {
        active.withLock { $0[ObjectIdentifier(request)] = request }
    }

    func forget(_ request: Request) {
        _ = active.withLock { $0.removeValue(forKey: ObjectIdentifier(request)) }
    }

    /// Calls `action` with the requests that are resumed and not over, on ``rootQueue``.
    public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
        rootQueue.async {
            action(Set(self.active.withLock { Array($0.values) }))
        }
    }

    /// Cancels the requests that are under way, then calls `completion` on `queue`. Requests may still be ending then.
    public func cancelAllRequests(completingOnQueue queue: DispatchQueue = .main, completion: (@Sendable () -> Void)? = nil) {
        withAllRequests { requests in
            for request in requests { request.cancel() }
            if let completion { queue.async(execute: completion) }
        }
    }

    // MARK: Exchanges

    /// - Throws: `AFError.createURLRequestFailed` if the request has no URL.
    func makeExchange(_ urlRequest: URLRequest, body: HTTPBody?, for request: Request) throws -> Exchange {
        guard let message = HTTPRequest(urlRequest, body: body) else {
            throw AFError.createURLRequestFailed(error: URLError(.badURL))
        }
        let options = TransferOptions(timeouts: settings.timeouts(for: urlRequest), reportsProgress: request.needsProgress)
        return Exchange(
            message, options: options, handlesCookies: urlRequest.httpShouldHandleCookies, mainDocumentURL: urlRequest.mainDocumentURL,
            path: path, transport: transport, owner: request)
    }
}

/// What a session's requests must not go beyond.
public struct SessionLimits: Sendable, Hashable {
    /// Bytes of content that one response may put into memory. Default: 256 MiB; download more into a file, or stream it.
    public var collectedBytes = 268_435_456
    /// Redirects that one request follows. Default: 20, as browsers do.
    public var redirects = 20

    /// The defaults.
    public init() {}
}

/// What a request asks of its session.
public protocol RequestDelegate: AnyObject, Sendable {
    /// The configuration that the session was made with.
    var sessionConfiguration: URLSessionConfiguration { get }
    /// Whether the first response handler resumes a request.
    var startImmediately: Bool { get }
}

extension Session: RequestDelegate {
    /// The same as ``startRequestsImmediately``.
    public var startImmediately: Bool { startRequestsImmediately }
}

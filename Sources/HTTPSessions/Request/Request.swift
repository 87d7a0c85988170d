// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Something that a session sends, from its first attempt to its last: what ``DataRequest``, ``UploadRequest``, ``DownloadRequest`` and
/// ``DataStreamRequest`` have in common.
///
/// All methods may be called from any thread, at any time. Nothing happens before ``resume()``, which the session calls by itself with the
/// first response handler unless it was told otherwise.
public class Request: @unchecked Sendable {  // what changes is behind `mutable` or the session's lock, or set before the request begins
    let mutable: InlineLocked<MutableState>
    private(set) weak var session: Session?
    /// Where the session keeps it while it is under way; reached only under the session's lock.
    var sessionSlot: Int?
    /// Whether the first response handler resumes the request; `nil` leaves it to the session.
    let resumesAutomatically: Bool?
    private let sessionMonitor: CompositeEventMonitor?
    private let hasOwnMonitor = Atomic<Bool>(false)

    /// Hears of a request's progress, with a snapshot of it that later progress does not change.
    public typealias ProgressHandler = @Sendable (_ progress: Progress) -> Void
    /// What a validator says.
    public typealias ValidationResult = Result<Void, any (Error & Sendable)>

    /// What becomes of a response whose head has arrived.
    public enum ResponseDisposition: Sendable {
        /// Its content is received.
        case allow
        /// The request is cancelled.
        case cancel
    }

    init(session: Session, interceptor: (any RequestInterceptor)?, resumesAutomatically: Bool? = nil) {
        self.session = session
        self.resumesAutomatically = resumesAutomatically
        sessionMonitor = session.eventMonitor.monitors.isEmpty ? nil : session.eventMonitor
        mutable = InlineLocked(MutableState(interceptor: interceptor))
    }

    /// Has `place` do what follows when an attempt has ended. Call it before ``resume()``; an eager session's request may have failed even
    /// then.
    package func concludes(in place: any ConclusionPlace) { mutable.withLock { $0.conclusionPlace = place } }

    /// Tells the monitors, if there are any, of an event. On every request's way ask ``isMonitored`` first where the closure holds more
    /// than the request: it is allocated before it is known to be of no use.
    @inline(__always)
    func notify(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        guard isMonitored else { return }
        deliver(event)
    }

    /// Tells the monitors, if there are any, of an event of the attempt under way.
    @inline(__always)
    func notifyOfTask(_ event: @escaping @Sendable (any EventMonitor, URLSessionTask) -> Void) {
        guard isMonitored else { return }
        deliverOfTask(event)
    }

    @inline(never)
    private func deliverOfTask(_ event: @escaping @Sendable (any EventMonitor, URLSessionTask) -> Void) {
        let task = TransferTaskReference(currentTask)
        deliver { event($0, task.task) }
    }

    @inline(never)
    private func deliver(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        for monitor in [sessionMonitor, eventMonitor].compactMap({ $0 as (any EventMonitor)? }) {
            CompositeEventMonitor.deliver(event, to: monitor)
        }
    }

    /// Whether anybody hears of events.
    var isMonitored: Bool { sessionMonitor != nil || hasOwnMonitor.load(ordering: .relaxed) }

    func monitorWasAdded() { hasOwnMonitor.store(true, ordering: .relaxed) }

    // MARK: What kinds of requests do differently

    /// What the caller asked for, before it is adapted.
    func makeInitialRequest() throws -> URLRequest {
        preconditionFailure("every kind of request makes its own")
    }

    /// What is sent instead of the request's own body.
    func makeBody(for urlRequest: URLRequest) throws -> HTTPBody? { nil }

    /// Whether the transport reports progress: handlers of it may be added when the request is under way, unless its only caller has said that
    /// there will be none.
    var needsProgress: Bool { mutable.withLock { $0.progress != nil || !$0.handlersAreComplete } }

    /// Where the content of the response goes.
    func disposition(for response: ReceivedResponse, of exchange: Exchange) -> ContentDisposition {
        .collect(limit: session?.limits.collectedBytes ?? 0)
    }

    /// A piece of content for ``ContentDisposition/stream``.
    func didReceive(content bytes: Data) -> ContentDemand { .more }

    /// Takes over what an attempt brought.
    func takeOver(_ outcome: TransferOutcome, response: ReceivedResponse?) -> TakenOver { .done(nil) }

    /// Runs the validators that were added, in order; returns the first failure.
    func validate(_ urlRequest: URLRequest?, _ response: ReceivedResponse) -> AFError? { nil }

    /// Drops what an attempt brought, since another one follows or the request was cancelled after all.
    func resetForRetry() {}

    /// The request is over, and its handlers are about to be called; once a request.
    func didConclude() {}
}

extension Request: Hashable, CustomStringConvertible {
    /// Whether both are the same request.
    public static func == (lhs: Request, rhs: Request) -> Bool { lhs === rhs }

    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The method, the URL without its secrets and, once known, the status.
    public var description: String {
        guard let request = lastRequest ?? performedRequests.last, let url = request.url else { return "No request created yet." }
        let status = receivedResponse.map { " (\($0.status))" } ?? ""
        return "\(request.httpMethod ?? "GET") \(url.redactedDescription)\(status)"
    }
}

// MARK: - What is known of a request

extension Request {
    /// Tells this request from every other one.
    public var id: UUID {
        mutable.withLock { state in
            state.withExtras { extras in
                let id = extras.id ?? UUID()
                extras.id = id
                return id
            }
        }
    }

    /// The session's root queue.
    public var underlyingQueue: DispatchQueue { session?.rootQueue ?? .main }
    /// Where serializers run.
    public var serializationQueue: DispatchQueue { session?.serializationQueue ?? .main }
    /// What hears of this request's events, besides the session's monitors.
    public var eventMonitor: (any EventMonitor)? { mutable.withLock { $0.extras?.eventMonitor } }
    /// What adapts and retries this request, behind the session's interceptor.
    public var interceptor: (any RequestInterceptor)? { mutable.withLock { $0.interceptor } }
    /// The session, while there is one.
    public var delegate: (any RequestDelegate)? { session }

    /// Where the request stands.
    public var state: State { mutable.withLock { $0.state } }
    /// Whether it was not resumed yet.
    public var isInitialized: Bool { state == .initialized }
    /// Whether it is under way.
    public var isResumed: Bool { state == .resumed }
    /// Whether it is held.
    public var isSuspended: Bool { state == .suspended }
    /// Whether it was cancelled; true from the moment that ``cancel()`` is called.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether it is over, and was not cancelled.
    public var isFinished: Bool { state == .finished }

    /// The credential that answers a challenge.
    public var credential: URLCredential? { mutable.withLock { $0.credential } }
    /// What decides about redirects, before the session's handler.
    public var redirectHandler: (any RedirectHandler)? { mutable.withLock { $0.extras?.redirectHandler } }
    /// What answers challenges, instead of the session's handler.
    public var challengeHandler: (any ChallengeHandler)? { mutable.withLock { $0.extras?.challengeHandler } }
    /// What ``cacheResponse(using:)`` was given; nobody asks it, since responses are not stored.
    public var cachedResponseHandler: (any CachedResponseHandler)? { mutable.withLock { $0.extras?.cachedResponseHandler } }

    /// Each attempt's request as it was made and, if it was adapted, as it was then.
    public var requests: [URLRequest] { mutable.withLock { Array($0.requests) } }
    /// The first of ``requests``.
    public var firstRequest: URLRequest? { mutable.withLock { $0.requests.first } }
    /// The last of ``requests``.
    public var lastRequest: URLRequest? { mutable.withLock { $0.requests.last } }
    /// The same as ``lastRequest``.
    public var request: URLRequest? { lastRequest }
    /// The requests that were sent, one an attempt.
    public var performedRequests: [URLRequest] {
        mutable.withLock { $0.performed }
    }

    package var receivedResponse: ReceivedResponse? { mutable.withLock { $0.response } }
    /// The response that was delivered, as soon as its head has arrived.
    public var response: HTTPURLResponse? { receivedResponse?.urlResponse }
    /// What every attempt cost, in order.
    public var allMetrics: [TransferMetrics] { mutable.withLock { $0.measurements.map(\.metrics) } }
    /// What the first attempt cost.
    public var firstMetrics: TransferMetrics? { mutable.withLock { $0.measurements.first }?.metrics }
    /// What the last attempt cost.
    public var lastMetrics: TransferMetrics? { mutable.withLock { $0.measurements.last }?.metrics }
    /// The same as ``lastMetrics``.
    public var metrics: TransferMetrics? { lastMetrics }
    /// How many times the request was sent again.
    public var retryCount: Int { mutable.withLock { $0.retryCount } }
    /// Why the request failed; set before handlers are called.
    public var error: AFError? { mutable.withLock { $0.error } }

    /// How much of the content is sent; a retry begins a new object.
    public var uploadProgress: Progress { progressObject(.up) }
    /// How much of the response's content has arrived; a retry begins a new object.
    public var downloadProgress: Progress { progressObject(.down) }

    private func progressObject(_ direction: ProgressState.Direction) -> Progress {
        mutable.withLock { $0.madeProgress().object(direction) }
    }

    /// The progress at this moment, for callers inside the package.
    package func progressSnapshot(upload: Bool) -> ProgressSnapshot {
        mutable.withLock { $0.progress?.snapshot(upload ? .up : .down) } ?? ProgressSnapshot(count: 0, total: -1)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session whose observers change requests, answer challenges and have requests sent again, before the caller sees anything of it.
///
/// ```swift
/// let session = SAPURLSession()
/// session.register(BasicAuthenticationObserver(basicCredentialStore: store))
/// session.dataTask(with: request) { data, response, error in … }.resume()
/// ```
///
/// Requests run on this package's own engine (on Linux over libcurl), not on `URLSession`. Credentials are sent only where and when they
/// are asked for, and the configuration's credential storage is not used, so that a log-out logs out. A task holds its session while it
/// runs.
public class SAPURLSession: @unchecked Sendable {  // what changes is behind `state`
    private struct State {
        // Not Sendable: observers are called on `queue` only, the delegate on `delegateQueue` only.
        var observers: [any SAPURLSessionObserving] = []
        var delegate: (any SAPURLSessionDelegate)?
        var isValid = true
        var isEnded = false
        var sessionDescription: String?
        /// Those that are resumed and not over.
        var tasks: [UUID: SAPURLSessionTask] = [:]
    }

    private let state: Locked<State>
    private let copiedConfiguration: URLSessionConfiguration
    private let exchanges: ExchangeService
    /// `nil` where no certificate can be shown.
    private let identityServices: IdentityServices?
    /// Holds requests back while an app's hook finishes a log-in.
    let gate = AuthenticationGate()
    /// Where the pipeline of every task runs, and every observer.
    let queue = DispatchQueue(label: "openmoya.sap.pipeline")

    /// Where delegate and completion handlers are called: the queue that was passed, or a serial one of the session's own.
    public let delegateQueue: OperationQueue

    /// A session over the platform's engine. The configuration is copied; the delegate is held until the session has become invalid.
    public convenience init(
        configuration: URLSessionConfiguration = .default, delegate: (any SAPURLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil
    ) {
        self.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, connections: nil, transport: nil)
    }

    /// A session with what `URLSessionConfiguration` has no word for: authorities, trust, client certificates, proxies, fixed addresses.
    ///
    /// Proxies and connection counts are taken from `connections`, not from `configuration`.
    public convenience init(
        connections: TransportConfiguration, configuration: URLSessionConfiguration = .default,
        delegate: (any SAPURLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
    ) {
        self.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, connections: connections, transport: nil)
    }

    /// A session over any transport, such as a scripted one. The session shuts it down at its own end.
    public convenience init(
        transport: any HTTPTransport, configuration: URLSessionConfiguration = .default, delegate: (any SAPURLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil
    ) {
        self.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, connections: nil, transport: transport)
    }

    init(
        configuration: URLSessionConfiguration, delegate: (any SAPURLSessionDelegate)?, delegateQueue: OperationQueue?,
        connections: TransportConfiguration?, transport: (any HTTPTransport)?
    ) {
        copiedConfiguration = Self.copy(configuration)
        let inner = Self.copy(configuration)
        inner.urlCredentialStorage = nil
        let exchanges = ExchangeService(configuration: inner, connections: connections, transport: transport)
        self.exchanges = exchanges
        if transport == nil, exchanges.capabilities.contains(.clientCertificates) {
            identityServices = IdentityServices(configuration: inner, connections: exchanges.connections)
        } else {
            identityServices = nil
        }
        state = Locked(State(delegate: delegate))
        self.delegateQueue = delegateQueue ?? Self.makeQueue()
    }

    private static func makeQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "openmoya.sap.delegate"
        return queue
    }

    private static func copy(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        configuration.copy() as? URLSessionConfiguration ?? configuration
    }

    // MARK: Properties

    /// Whether tasks can still be made.
    public private(set) var isValid: Bool {
        get { state.withLock { $0.isValid } }
        set { state.withLock { $0.isValid = newValue } }
    }

    /// The delegate; `nil` also once the session has become invalid.
    public var delegate: (any SAPURLSessionDelegate)? { state.withLock { $0.delegate } }
    /// A copy.
    public var configuration: URLSessionConfiguration { Self.copy(copiedConfiguration) }

    /// A text of the caller's own.
    public var sessionDescription: String? {
        get { state.withLock { $0.sessionDescription } }
        set { state.withLock { $0.sessionDescription = newValue } }
    }

    /// The observers, in the order in which they are asked.
    public var registeredObservers: [any SAPURLSessionObserving] { state.withLock { $0.observers } }

    // MARK: Observers

    /// Adds an observer behind those that are there. Tasks that are resumed already do not get it; it is held until it is unregistered or
    /// the session has become invalid. A session that is invalid ignores it.
    ///
    /// Registering the same instance twice is a programming error and ends the program: see ``registerIfNeeded(_:)``.
    public func register(_ observer: any SAPURLSessionObserving) {
        if registerIfNeeded(observer) { return }
        guard isValid else {
            return SAPDiagnostics.report(.error, "a \(type(of: observer)) was registered with a session that is invalid; it is ignored")
        }
        fatalError(
            "SAPURLSession.register(_:): this \(type(of: observer)) is already registered with this session. An observer instance may be "
                + "registered once per session; test with isRegistered(_:) or use registerIfNeeded(_:).")
    }

    /// The same without ending the program.
    /// - Returns: whether it was added: not if it is there already, nor if the session is invalid.
    @discardableResult
    public func registerIfNeeded(_ observer: any SAPURLSessionObserving) -> Bool {
        state.withLock { state in
            guard state.isValid, !state.observers.contains(where: { $0 === observer }) else { return false }
            state.observers.append(observer)
            return true
        }
    }

    /// Takes an observer away; one that is not there makes no difference. Tasks that are resumed already keep it.
    public func unregister(_ observer: any SAPURLSessionObserving) {
        state.withLock { state in state.observers.removeAll { $0 === observer } }
    }

    /// Whether this instance is registered.
    public func isRegistered(_ observer: any SAPURLSessionObserving) -> Bool {
        state.withLock { state in state.observers.contains { $0 === observer } }
    }

    // MARK: Tasks

    /// A task, suspended, whose outcome goes to `completionHandler`, on ``delegateQueue``, exactly once.
    ///
    /// Data is not `nil` if and only if there is no error; up to 256 MiB are collected.
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionTask {
        SAPURLSessionTask(self, request, .handler(completionHandler))
    }

    /// The same for a GET request to `url`.
    public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// A task, suspended, whose response goes to the delegate.
    public func dataTask(with request: URLRequest) -> SAPURLSessionTask { SAPURLSessionTask(self, request, .delegate) }

    /// The same for a GET request to `url`.
    public func dataTask(with url: URL) -> SAPURLSessionTask { dataTask(with: URLRequest(url: url)) }

    /// Sends `request` and returns its response, of whatever status. Cancelling the Swift task cancels the request.
    /// - Throws: the error that a completion handler would get.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        let started = Locked<SAPURLSessionTask?>(nil)
        let result: Result<(Data, URLResponse), any Error> = await awaitingCallback {
            started.withLock { $0 }?.cancel()
        } _: { callback in
            let task = dataTask(with: request) { data, response, error in
                if let data, let response { return callback(.success((data, response))) }
                callback(.failure(error ?? URLError(.unknown)))
            }
            started.withLock { $0 = task }
            task.resume()
            if _Concurrency.Task.isCancelled { task.cancel() }
        }
        return try result.get()
    }

    // MARK: The end

    /// Lets the running tasks end, then becomes invalid. No task can be made any more.
    public func finishTasksAndInvalidate() { invalidate(cancelling: false) }

    /// Cancels the running tasks, then becomes invalid. No task can be made any more.
    public func invalidateAndCancel() { invalidate(cancelling: true) }

    private func invalidate(cancelling: Bool) {
        let tasks = state.withLock { state in
            state.isValid = false
            return Array(state.tasks.values)
        }
        if cancelling { for task in tasks { task.cancel() } }
        endIfIdle()
    }

    /// - Returns: whether it may run.
    func taskWillStart(_ task: SAPURLSessionTask) -> Bool {
        state.withLock { state in
            guard state.isValid else { return false }
            state.tasks[task.taskID] = task
            return true
        }
    }

    func taskDidEnd(_ task: SAPURLSessionTask) {
        let isLast = state.withLock { state in
            state.tasks[task.taskID] = nil
            return !state.isValid
        }
        if isLast { endIfIdle() }
    }

    /// What is going on at this moment.
    var runningTasks: [SAPURLSessionTask] { state.withLock { Array($0.tasks.values) } }

    /// Whether the engine can be told of proxies, and gives them credentials.
    var reachesProxies: Bool { exchanges.capabilities.contains(.proxies) }

    /// Where requests to `url` are made.
    func exchanges(for url: URL?, showing identity: ClientIdentity?) throws -> ExchangeService {
        guard let identity, let origin = url.flatMap({ Origin(url: $0) }) else { return exchanges }
        guard let identityServices else {
            throw SAPURLSessionPipelineError.unsupported(
                "Client certificates cannot be shown over this transport; use the engine over libcurl.")
        }
        guard let service = identityServices.service(for: origin, showing: identity) else { throw SAPURLSessionError.invalidURLSession }
        return service
    }

    private func endIfIdle() {
        let ends = state.withLock { state in
            guard !state.isValid, state.tasks.isEmpty, !state.isEnded else { return false }
            state.isEnded = true
            return true
        }
        guard ends else { return }
        queue.async { self.announceEnd(to: 0) }
    }

    /// On the queue: one observer after the other, then the delegate; then all are let go.
    private func announceEnd(to index: Int) {
        let observers = registeredObservers
        if index < observers.count {
            let answer = AnswerOnce<Void>(hook: "didBecomeInvalidWithError") { _ in
                self.queue.async { self.announceEnd(to: index + 1) }
            }
            return observers[index].sapURLSession(self, didBecomeInvalidWithError: nil) { answer.give(()) }
        }
        delegateQueue.addOperation {
            // An observer that only the session holds may use it when it is let go of: not under the lock.
            let (delegate, observers) = self.state.withLock { state in
                defer {
                    state.delegate = nil
                    state.observers = []
                }
                return (state.delegate, state.observers)
            }
            delegate?.sapURLSession(self, didBecomeInvalidWithError: nil)
            withExtendedLifetime(observers) {}
            self.exchanges.shutDown(cancellingTransfers: false)
            self.identityServices?.shutDown()
        }
    }
}

extension SAPURLSession: CustomStringConvertible, CustomReflectable {
    /// How many observers there are, and whether it is valid; nothing of what they hold.
    public var description: String { "SAPURLSession(observers: \(registeredObservers.count), isValid: \(isValid))" }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["session": description]) }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends the requests of targets.
///
/// A request goes from its target over an ``Endpoint`` to a `URLRequest`, past the plugins to the session, and its response the same way
/// back. A request under way keeps its provider and session alive until it has completed. Requests may be made from any thread.
open class MoyaProvider<Target: TargetType>: MoyaProviderType, @unchecked Sendable {  // constants; the table of requests has its lock
    /// Makes a target concrete.
    public typealias EndpointClosure = (Target) -> Endpoint

    /// Takes the request to send. Call it once, now or later, from any thread; later calls are ignored.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void

    /// Makes the request of an endpoint and hands it over, at once or later, for example after signing it.
    public typealias RequestClosure = (Endpoint, @escaping RequestResultClosure) -> Void

    /// Says whether a target's request is answered by a stub.
    public typealias StubClosure = (Target) -> Moya.StubBehavior

    /// Makes a target concrete.
    public let endpointClosure: EndpointClosure

    /// Makes the request of an endpoint.
    public let requestClosure: RequestClosure

    /// Says whether a target's request is answered by a stub.
    public let stubClosure: StubClosure

    /// Sends the requests.
    public let session: Session

    /// See every request, in this order.
    public let plugins: [any PluginType]

    /// Whether equal requests are sent once while one of them is under way.
    public let trackInflights: Bool

    /// The completions that wait for each request under way; empty unless ``trackInflights`` is set. A snapshot.
    open var inflightRequests: [Endpoint: [Moya.Completion]] {
        (inflight?.withLock { $0.waitersByKey } ?? [:]).mapValues { $0.map(\.completion) }
    }

    let callbackQueue: DispatchQueue?
    let pluginChain: PluginChain
    let optionsSource = RequestOptionsSource(Target.self)
    let inflight: Locked<InflightRequests<Endpoint, Recipient<Target>>>?

    /// A provider.
    /// - Parameters:
    ///   - endpointClosure: makes a target concrete; ``defaultEndpointMapping(for:)`` by default.
    ///   - requestClosure: makes the request of an endpoint; ``defaultRequestMapping(for:closure:)`` by default.
    ///   - stubClosure: says whether a target's request is answered by a stub; ``neverStub(_:)`` by default.
    ///   - callbackQueue: where progress blocks and completions are called if a request names no queue, and the plugins' `didReceive` and
    ///     `process` before them; nil is the main queue.
    ///   - session: sends the requests; a new ``defaultAlamofireSession()`` by default.
    ///   - plugins: see every request, in this order.
    ///   - trackInflights: whether equal requests are sent once while one of them is under way.
    public init(
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: @escaping RequestClosure = { MoyaProvider.defaultRequestMapping(for: $0, closure: $1) },
        stubClosure: @escaping StubClosure = { MoyaProvider.neverStub($0) },
        callbackQueue: DispatchQueue? = nil,
        session: Session = MoyaProvider<Target>.defaultAlamofireSession(),
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.session = session
        self.plugins = plugins
        self.trackInflights = trackInflights
        pluginChain = PluginChain(plugins)
        inflight = trackInflights ? Locked(InflightRequests()) : nil
    }

    /// The endpoint of a target, as ``endpointClosure`` makes it.
    open func endpoint(_ token: Target) -> Endpoint {
        endpointClosure(token)
    }

    /// Sends the request of a target; returns at once.
    ///
    /// `completion` is called exactly once, also for a request that is cancelled. `progress` is called for each step of the transfer, and
    /// once more at its end, with the response if there is one. Both are called on `callbackQueue`, and so are the plugins' `didReceive`
    /// and `process`; nil is the provider's queue or, if it has none, the main queue. An immediate stub without any of these queues calls
    /// back before `request` returns.
    /// - Returns: what cancels the request.
    @discardableResult
    open func request(
        _ target: Target, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
    ) -> any Cancellable {
        requestNormal(target, callbackQueue: callbackQueue ?? self.callbackQueue, progress: progress, completion: completion)
    }

    /// Answers a request by its endpoint's sample; nothing is sent.
    ///
    /// An override should call ``notifyPluginsOfImpendingStub(for:target:)``, then run what
    /// ``createStubFunction(_:forTarget:withCompletion:endpoint:plugins:request:)`` makes with the request it got from there. `completion`
    /// gets the result after `didReceive`; the one that ``request(_:callbackQueue:progress:completion:)`` passes has the plugins process
    /// it.
    @discardableResult
    open func stubRequest(
        _ target: Target, request: URLRequest, callbackQueue: DispatchQueue?, completion: @escaping Moya.Completion,
        endpoint: Endpoint, stubBehavior: Moya.StubBehavior
    ) -> CancellableToken {
        answerByStub(
            target, request: request, callbackQueue: callbackQueue, completion: completion, endpoint: endpoint, stubBehavior: stubBehavior)
    }
}

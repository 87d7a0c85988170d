// SPDX-License-Identifier: MIT

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import HTTPMessages

/// Everything that a session is made of; made by the session's own initialisers.
public struct SessionParts {
    var configuration: URLSessionConfiguration
    var transport: any HTTPTransport
    var delegate = SessionDelegate()
    var rootQueue: DispatchQueue
    var startRequestsImmediately = true
    var requestSetup = Session.RequestSetup.lazy
    var requestQueue: DispatchQueue?
    var serializationQueue: DispatchQueue?
    var interceptor: (any RequestInterceptor)?
    var serverTrustManager: ServerTrustManager?
    var redirectHandler: (any RedirectHandler)?
    var cachedResponseHandler: (any CachedResponseHandler)?
    var eventMonitors: [any EventMonitor] = []
    var limits = SessionLimits()
    /// What the transport was told, for the protection spaces of proxies.
    var proxy = ProxyPolicy.none
    var foundationSession: URLSession?
}

/// Tells the queues that an initialiser made for itself from those that a caller passed: only a caller's queue is hopped to.
enum QueueMark {
    private static let key = DispatchSpecificKey<Bool>()

    static func makeOwn(_ label: String) -> DispatchQueue {
        let queue = DispatchQueue(label: label)
        queue.setSpecific(key: key, value: true)
        return queue
    }

    static func isOwn(_ queue: DispatchQueue) -> Bool {
        queue.getSpecific(key: key) == true
    }
}

extension Session {
    /// What ``rootQueue`` is by default: it gives an order, but costs nothing while nobody passes another one.
    public static func makeRootQueue() -> DispatchQueue { QueueMark.makeOwn("openmoya.session.root") }

    /// A session over the platform's own engine.
    ///
    /// A `rootQueue` that is passed is used for making and adapting requests, unless there is a `requestQueue`; without either this happens on
    /// the thread that resumes a request.
    /// - Parameter configuration: copied; a background configuration is a programmer's error.
    public convenience init(
        configuration: URLSessionConfiguration = URLSessionConfiguration.af.default, delegate: SessionDelegate = SessionDelegate(),
        rootQueue: DispatchQueue = Session.makeRootQueue(), startRequestsImmediately: Bool = true, requestSetup: RequestSetup = .lazy,
        requestQueue: DispatchQueue? = nil, serializationQueue: DispatchQueue? = nil, interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil, redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil, eventMonitors: [any EventMonitor] = []
    ) {
        precondition(configuration.identifier == nil, "background configurations are not supported")
        var transportConfiguration = TransportConfiguration(configuration)
        transportConfiguration.tls.trustPolicy = serverTrustManager
        self.init(
            parts: SessionParts(
                configuration: configuration,
                transport: DefaultTransport.make(transportConfiguration, sessionConfiguration: configuration), delegate: delegate,
                rootQueue: rootQueue, startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup,
                requestQueue: requestQueue, serializationQueue: serializationQueue, interceptor: interceptor,
                serverTrustManager: serverTrustManager, redirectHandler: redirectHandler, cachedResponseHandler: cachedResponseHandler,
                eventMonitors: eventMonitors, proxy: transportConfiguration.proxy))
    }

    /// A session over the platform's own engine, with what `URLSessionConfiguration` has no word for: authorities, client certificates, Unix sockets,
    /// limits. Proxies and connection counts are taken from `transport`, not from `configuration`.
    public convenience init(
        transport transportConfiguration: TransportConfiguration, configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
        limits: SessionLimits = SessionLimits(), startRequestsImmediately: Bool = true, interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil, redirectHandler: (any RedirectHandler)? = nil, eventMonitors: [any EventMonitor] = []
    ) {
        var transportConfiguration = transportConfiguration
        if let serverTrustManager { transportConfiguration.tls.trustPolicy = serverTrustManager }
        self.init(
            parts: SessionParts(
                configuration: configuration,
                transport: DefaultTransport.make(transportConfiguration, sessionConfiguration: configuration),
                rootQueue: Session.makeRootQueue(), startRequestsImmediately: startRequestsImmediately, interceptor: interceptor,
                serverTrustManager: serverTrustManager, redirectHandler: redirectHandler, eventMonitors: eventMonitors, limits: limits,
                proxy: transportConfiguration.proxy))
    }

    /// A session over any transport, such as a scripted one. The session shuts it down at its own end.
    public convenience init(
        transport: any HTTPTransport, configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
        limits: SessionLimits = SessionLimits(), startRequestsImmediately: Bool = true, interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil, eventMonitors: [any EventMonitor] = []
    ) {
        self.init(
            parts: SessionParts(
                configuration: configuration, transport: transport, rootQueue: Session.makeRootQueue(),
                startRequestsImmediately: startRequestsImmediately, interceptor: interceptor, redirectHandler: redirectHandler,
                eventMonitors: eventMonitors, limits: limits))
    }
}

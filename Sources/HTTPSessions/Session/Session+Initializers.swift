// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Session {
    /// What ``rootQueue`` is by default: it gives an order, but costs nothing while nobody passes another one.
    public static func makeRootQueue() -> DispatchQueue { QueueMark.makeOwn("openmoya.session.root") }

    /// A session over the platform's own engine.
    /// `configuration`: copied; a background configuration is a programmer's error.
    public convenience init(
        configuration: URLSessionConfiguration = URLSessionConfiguration.af.default, delegate: SessionDelegate = SessionDelegate(),
        rootQueue: DispatchQueue = Session.makeRootQueue(), startRequestsImmediately: Bool = true, requestSetup: RequestSetup = .lazy,
        requestQueue: DispatchQueue? = nil, serializationQueue: DispatchQueue? = nil, interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil, redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil, eventMonitors: [any EventMonitor] = [],
        challengeHandler: (any ChallengeHandler)? = nil, sendsCredentialsAhead: Bool = true
    ) {
        precondition(configuration.identifier == nil, "background configurations are not supported")
        var transport = TransportConfiguration(configuration)
        transport.tls.trustPolicy = serverTrustManager
        self.init(
            transport: DefaultTransport.make(transport, sessionConfiguration: configuration), configuration: configuration,
            delegate: delegate,
            rootQueue: rootQueue, startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue, interceptor: interceptor, serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler, cachedResponseHandler: cachedResponseHandler, eventMonitors: eventMonitors,
            challengeHandler: challengeHandler, sendsCredentialsAhead: sendsCredentialsAhead)
    }

    /// A session over the platform's own engine, with what `URLSessionConfiguration` has no word for: authorities, client certificates,
    /// Unix sockets, limits. Proxies and connection counts are taken from `transport`, not from `configuration`.
    public convenience init(
        transport: TransportConfiguration, configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
        limits: SessionLimits = SessionLimits(), startRequestsImmediately: Bool = true, interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil, redirectHandler: (any RedirectHandler)? = nil,
        eventMonitors: [any EventMonitor] = [],
        challengeHandler: (any ChallengeHandler)? = nil, sendsCredentialsAhead: Bool = true
    ) {
        var transport = transport
        if let serverTrustManager { transport.tls.trustPolicy = serverTrustManager }
        self.init(
            transport: DefaultTransport.make(transport, sessionConfiguration: configuration), configuration: configuration,
            startRequestsImmediately: startRequestsImmediately, interceptor: interceptor, serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler, eventMonitors: eventMonitors, limits: limits, challengeHandler: challengeHandler,
            sendsCredentialsAhead: sendsCredentialsAhead)
    }

    /// A session whose requests go through a `URLSession` of the caller's, on every platform.
    ///
    /// `session` must have been made with `delegate` as its delegate and a delegate queue that runs one operation at a time, such as one
    /// over `rootQueue`; otherwise every request fails with an error that says so. What `URLSession` cannot do on Linux fails, too. The
    /// session is invalidated with this one.
    public convenience init(
        session: URLSession, delegate: SessionDelegate, rootQueue: DispatchQueue, startRequestsImmediately: Bool = true,
        requestSetup: RequestSetup = .lazy, requestQueue: DispatchQueue? = nil, serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil, serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil, cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = [], challengeHandler: (any ChallengeHandler)? = nil, sendsCredentialsAhead: Bool = true
    ) {
        self.init(
            transport: DefaultTransport.make(over: session, trusting: serverTrustManager), configuration: session.configuration,
            delegate: delegate, rootQueue: rootQueue, startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup,
            requestQueue: requestQueue, serializationQueue: serializationQueue, interceptor: interceptor,
            serverTrustManager: serverTrustManager, redirectHandler: redirectHandler, cachedResponseHandler: cachedResponseHandler,
            eventMonitors: eventMonitors, challengeHandler: challengeHandler, sendsCredentialsAhead: sendsCredentialsAhead)
    }
}

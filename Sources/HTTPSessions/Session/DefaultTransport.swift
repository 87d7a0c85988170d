// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import URLSessionEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if Curl && os(Linux)
import CurlEngine
#endif

/// The one place that knows which engine a platform uses: libcurl's on Linux unless the trait `Curl` is off, else Foundation's.
public enum DefaultTransport {
    /// A transport of the platform's engine.
    public static func make(_ configuration: TransportConfiguration = TransportConfiguration()) -> any HTTPTransport {
        make(configuration, sessionConfiguration: .default)
    }

    /// The value for `Accept-Encoding` that names what the platform's engine undoes; nil if that is nothing.
    static var acceptedContentCodings: String? {
        #if Curl && os(Linux)
        CurlTransport.acceptedContentCodings
        #else
        URLSessionTransport.acceptedContentCodings
        #endif
    }

    static func make(
        _ configuration: TransportConfiguration, sessionConfiguration: URLSessionConfiguration
    ) -> any HTTPTransport {
        #if Curl && os(Linux)
        return CurlTransport(configuration: configuration)
        #else
        return URLSessionTransport(configuration: sessionConfiguration, transport: configuration)
        #endif
    }

    /// A transport over a `URLSession` of the caller's, on every platform.
    static func make(over session: URLSession, trusting trustPolicy: (any ServerTrustPolicy)?) -> any HTTPTransport {
        var configuration = TransportConfiguration()
        configuration.tls.trustPolicy = trustPolicy
        return URLSessionTransport(session: session, transport: configuration)
    }

    /// The session of Foundation's that `transport` runs on, if it does.
    static func foundationSession(of transport: any HTTPTransport) -> URLSession? {
        (transport as? URLSessionTransport)?.urlSession
    }

    /// Shuts a transport down for good, and with it the session of Foundation's that it runs on, if it does.
    static func end(_ transport: any HTTPTransport) {
        guard let transport = transport as? URLSessionTransport else { return transport.shutDown(cancellingTransfers: true) }
        transport.endSession()
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// A copy that leaves to the session above what belongs there: cookies, credentials, the cache, default fields and time limits.
    func forTransport(_ transport: TransportConfiguration) -> URLSessionConfiguration {
        // A copy of a configuration is one; the ephemeral one is nearest to what is set below.
        let copy = (copy() as? URLSessionConfiguration) ?? .ephemeral
        copy.httpCookieStorage = nil
        copy.httpShouldSetCookies = false
        copy.httpCookieAcceptPolicy = .never
        copy.urlCredentialStorage = nil
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        copy.httpAdditionalHeaders = nil
        copy.timeoutIntervalForRequest = URLRequest.longTime
        copy.timeoutIntervalForResource = URLRequest.longTime
        if transport.connectionsPerOrigin != TransportConfiguration().connectionsPerOrigin {
            copy.httpMaximumConnectionsPerHost = transport.connectionsPerOrigin == 0 ? 10_000 : transport.connectionsPerOrigin
        }
        #if canImport(Darwin)
        if let proxies = ProxyDictionary.make(transport.proxy) { copy.connectionProxyDictionary = proxies }
        copy.tlsMinimumSupportedProtocolVersion = transport.tls.minimumVersion == .tls1_3 ? .TLSv13 : .TLSv12
        if let maximum = transport.tls.maximumVersion {
            copy.tlsMaximumSupportedProtocolVersion = maximum == .tls1_3 ? .TLSv13 : .TLSv12
        }
        #endif
        return copy
    }
}

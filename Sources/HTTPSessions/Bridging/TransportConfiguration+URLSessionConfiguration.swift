// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportConfiguration {
    /// What a session configuration says about connections: how many, and through which proxy.
    ///
    /// Fields that mean nothing to a transport over sockets: `allowsCellularAccess`, `isDiscretionary`, `sessionSendsLaunchEvents`,
    /// `sharedContainerIdentifier`, `shouldUseExtendedBackgroundIdleMode`, `networkServiceType`, `multipathServiceType`,
    /// `waitsForConnectivity`, `httpShouldUsePipelining`, `protocolClasses`.
    init(_ configuration: URLSessionConfiguration) {
        self.init()
        connectionsPerOrigin = max(configuration.httpMaximumConnectionsPerHost, 1)
        if let proxies = configuration.connectionProxyDictionary { proxy = ProxyPolicy(proxies) }
    }
}

extension ProxyPolicy {
    /// The proxies of a dictionary with the keys of CFNetwork (`HTTPEnable`, `HTTPProxy`, `HTTPPort`, `HTTPSEnable`, …, `SOCKSEnable`, …,
    /// `ExceptionsList`).
    init(_ dictionary: [AnyHashable: Any]) {
        func server(_ scheme: String, _ kind: ProxyServer.Kind) -> ProxyServer? {
            guard let host = dictionary["\(scheme)Proxy"] as? String, !host.isEmpty else { return nil }
            if let isEnabled = dictionary["\(scheme)Enable"] as? NSNumber, !isEnabled.boolValue { return nil }
            let port = (dictionary["\(scheme)Port"] as? NSNumber)?.intValue ?? (kind == .http ? 80 : 1080)
            return ProxyServer(
                kind: kind, host: host, port: port, user: dictionary["kCFProxyUsernameKey"] as? String,
                password: dictionary["kCFProxyPasswordKey"] as? String)
        }
        let exceptions = (dictionary["ExceptionsList"] as? [String] ?? []).map { $0.hasPrefix("*.") ? String($0.dropFirst()) : $0 }
        let socks = server("SOCKS", .socks5Hostname)
        let http = server("HTTP", .http) ?? socks
        let https = server("HTTPS", .http) ?? socks
        self = http == nil && https == nil ? .none : .perScheme(http: http, https: https, except: exceptions)
    }
}

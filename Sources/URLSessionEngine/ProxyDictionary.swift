// SPDX-License-Identifier: MIT

#if canImport(Darwin)

import Foundation
import HTTPMessages

/// A proxy policy as the dictionary that CFNetwork reads; the keys are written out, since not every platform declares them.
enum ProxyDictionary {
    /// What CFNetwork cannot do of `policy`.
    static func fault(_ policy: ProxyPolicy) -> String? {
        let servers: [ProxyServer?]
        switch policy {
        case .none: return nil
        case .environment: return "URLSession uses the system's settings, not http_proxy; name the proxy in the configuration"
        case .proxy(let server, _): servers = [server]
        case .perScheme(let http, let https, _): servers = [http, https]
        }
        for server in servers.compactMap({ $0 }) {
            if server.kind != .http { return "URLSession is given HTTP proxies only" }
            if server.user != nil { return "URLSession takes no credentials for a proxy beforehand; answer its challenge" }
        }
        return nil
    }

    /// `nil` leaves the configuration, and with it the system's settings, as they are.
    static func make(_ policy: ProxyPolicy) -> [AnyHashable: Any]? {
        switch policy {
        case .none, .environment: nil
        case .proxy(let server, let exceptions): dictionary(http: server, https: server, except: exceptions)
        case .perScheme(let http, let https, let exceptions): dictionary(http: http, https: https, except: exceptions)
        }
    }

    private static func dictionary(http: ProxyServer?, https: ProxyServer?, except exceptions: [String]) -> [AnyHashable: Any] {
        var dictionary: [AnyHashable: Any] = ["ExceptionsList": exceptions]
        if let http {
            dictionary["HTTPEnable"] = 1
            dictionary["HTTPProxy"] = http.host
            dictionary["HTTPPort"] = http.port
        }
        if let https {
            dictionary["HTTPSEnable"] = 1
            dictionary["HTTPSProxy"] = https.host
            dictionary["HTTPSPort"] = https.port
        }
        return dictionary
    }
}

#endif

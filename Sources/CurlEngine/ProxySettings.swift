// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages

/// Through what the requests of each scheme go, in libcurl's notation.
struct ProxySettings: Sendable {
    /// One proxy; `url` is empty for none.
    struct Proxy: Sendable, Equatable {
        static let none = Proxy(url: "")
        var url: String
        var user: String?
        var password: String?

        init(url: String) { self.url = url }

        init(_ server: ProxyServer?) {
            guard let server else {
                self = .none
                return
            }
            let host = server.host.contains(":") && !server.host.hasPrefix("[") ? "[\(server.host)]" : server.host
            url = "\(server.kind.rawValue)://\(host):\(server.port)"
            user = server.user
            password = server.password
        }
    }

    let http: Proxy
    let https: Proxy
    /// The hosts that are reached directly, separated by commas.
    let exceptions: String

    /// Whether any transfer can go through a proxy.
    let areUsed: Bool

    /// Whether a proxy is spoken to within TLS.
    var haveTLS: Bool { [http, https].contains { $0.url.lowercased().hasPrefix("https:") } }

    /// Whether `host` is on the list of exceptions.
    func exempts(_ host: String) -> Bool {
        exceptions.split(separator: ",").contains { entry in
            let name = entry.drop { $0 == " " || $0 == "." }.prefix { $0 != " " }.lowercased()
            return name == "*" || name == host || host.hasSuffix("." + name)
        }
    }

    init(_ policy: ProxyPolicy, environment: [String: String] = ProcessInfo.processInfo.environment) {
        switch policy {
        case .none:
            http = .none
            https = .none
            exceptions = ""
        case .environment:
            func value(_ names: String...) -> String {
                names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
            }
            // HTTP_PROXY in capitals can be set by a request to a CGI program, and is not read for that reason, as curl does.
            let fallback = value("all_proxy", "ALL_PROXY")
            let http = value("http_proxy")
            let https = value("https_proxy", "HTTPS_PROXY")
            self.http = Proxy(url: http.isEmpty ? fallback : http)
            self.https = Proxy(url: https.isEmpty ? fallback : https)
            exceptions = value("no_proxy", "NO_PROXY")
        case .proxy(let server, let except):
            http = Proxy(server)
            https = Proxy(server)
            exceptions = except.joined(separator: ",")
        case .perScheme(let http, let https, let except):
            self.http = Proxy(http)
            self.https = Proxy(https)
            exceptions = except.joined(separator: ",")
        }
        areUsed = http != .none || https != .none
    }
}
#endif

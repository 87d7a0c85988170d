// SPDX-License-Identifier: MIT

import Foundation

/// What `http_proxy` and its kin mean for a URL, in the way in which libcurl, which stands under URLSession on Linux, reads them by itself.
struct EnvironmentProxy: Sendable {
    private let proxies: [String: String]
    private let exceptions: [String]

    init(_ environment: [String: String]) {
        var proxies: [String: String] = [:]
        // libcurl does not read HTTP_PROXY, which a CGI server sets from a request's field.
        let names = [
            ("http", ["http_proxy", "all_proxy", "ALL_PROXY"]), ("https", ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
        ]
        for (scheme, variables) in names {
            proxies[scheme] = variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        self.proxies = proxies
        exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            .split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    }

    /// Whether a request to `url` would go through a proxy.
    func applies(to url: URL) -> Bool {
        guard !proxies.isEmpty, let scheme = url.scheme?.lowercased(), proxies[scheme] != nil else { return false }
        guard var host = url.host(percentEncoded: true)?.lowercased() else { return false }
        host = host.trimmingCharacters(in: ["[", "]"])
        return !exceptions.contains { exception in
            if exception == "*" || exception == host { return true }
            let suffix = exception.hasPrefix(".") ? exception : "." + exception
            return host.hasSuffix(suffix) || "." + host == suffix
        }
    }
}

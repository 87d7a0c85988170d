// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import URLSessionEngine

@Suite struct EnvironmentProxyTests {
    @Test(
        arguments: [
            ([:], "http://example.com", false),
            (["http_proxy": "http://proxy:1"], "http://example.com", true),
            (["http_proxy": "http://proxy:1"], "https://example.com", false),
            (["http_proxy": ""], "http://example.com", false),
            (["HTTP_PROXY": "http://proxy:1"], "http://example.com", false),
            (["HTTPS_PROXY": "http://proxy:1"], "https://example.com", true),
            (["ALL_PROXY": "socks5://proxy:1"], "http://example.com", true),
            (["http_proxy": "p", "no_proxy": "example.com"], "http://www.EXAMPLE.com", false),
            (["http_proxy": "p", "no_proxy": ".example.com, other"], "http://example.com", false),
            (["http_proxy": "p", "no_proxy": "ample.com"], "http://example.com", true),
            (["http_proxy": "p", "NO_PROXY": "*"], "http://example.com", false),
            (["http_proxy": "p", "no_proxy": "127.0.0.1,::1"], "http://[::1]:80/", false),
        ] as [([String: String], String, Bool)])
    func `a proxy of the environment applies as libcurl reads it`(environment: [String: String], url: String, applies: Bool) throws {
        let url = try #require(URL(string: url))

        #expect(EnvironmentProxy(environment).applies(to: url) == applies)
    }
}

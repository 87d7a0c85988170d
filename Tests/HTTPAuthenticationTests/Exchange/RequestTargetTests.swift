// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import Testing

struct RequestTargetTests {
    @Test(arguments: [
        ("http://example.org", "/"),
        ("http://example.org?a=b", "/?a=b"),
        ("http://example.org#top", "/"),
        ("http://example.org/", "/"),
        ("http://user:pass@example.org:8080/a/b?c=/../d#e", "/a/b?c=/../d"),
        ("http://[::1]:80/a%20b", "/a%20b"),
        ("http://example.org/a/./b/../c", "/a/c"),
        ("http://example.org/a/b/..", "/a/"),
        ("http://example.org/a/.", "/a/"),
        ("http://example.org/../../a", "/a"),
        ("http://example.org/..", "/"),
        ("http://example.org//a//b/", "//a//b/"),
        ("http://example.org/.hidden/..b", "/.hidden/..b"),
        ("http://example.org/a:b://c", "/a:b://c"),
    ])
    func `the origin-form is the path without dot segments, and the query`(url: String, expected: String) throws {
        let url = try #require(URL(string: url))

        #expect(RequestTarget(url)?.originForm == expected)
        #expect(AuthenticatedRequest(method: "GET", url: url).target == expected)
    }

    @Test(arguments: [("https://Example.org/a", "example.org:443"), ("https://[::1]:8443/", "[::1]:8443")])
    func `a tunnel's target is host and port`(url: String, expected: String) throws {
        let origin = try #require(URL(string: url).flatMap(Origin.init))
        let request = AuthenticatedRequest(tunnelTo: origin)

        #expect(request.method == "CONNECT")
        #expect(request.target == expected)
    }

    @Test func `a URL that is not http has no target`() throws {
        #expect(RequestTarget(try #require(URL(string: "ftp://example.org/a"))) == nil)
        #expect(RequestTarget(try #require(URL(string: "/relative"))) == nil)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@testable import Moya

@Suite struct TargetURLTests {
    @Test(arguments: [
        ("https://h", "/zen", "https://h/zen"),
        ("https://h", "zen", "https://h/zen"),
        ("https://h/v1/", "/zen", "https://h/v1/zen"),
        ("https://h", "/", "https://h/"),
        ("https://h", "search/", "https://h/search/"),
        ("http://h/p?X=1", "foo", "http://h/p/foo?X=1"),
        ("https://h", "a?b=1", "https://h/a%3Fb=1"),
        ("https://h", "x#y", "https://h/x%23y"),
        ("https://h", "a b", "https://h/a%20b"),
        ("https://h", "a%20b", "https://h/a%2520b"),
        ("https://h", "", "https://h"),
        ("https://h/p?X=1", "", "https://h/p?X=1"),
        ("https://h:8443/v1", "zen", "https://h:8443/v1/zen"),
        ("https://h", "größe", "https://h/gr%C3%B6%C3%9Fe"),
    ])
    func `a path is appended as path components`(base: String, path: String, expected: String) {
        let target = AnyTarget(baseURL: URL(string: base)!, path: path)

        #expect(URL(target: target).absoluteString == expected)
        #expect(MoyaProvider<AnyTarget>.defaultEndpointMapping(for: target).url == expected)
    }

    @Test(arguments: [
        "https://h", "https://h/", "https://h/v1", "https://h/v1/", "https://h/v1//", "http://h:80", "https://u:p@h", "https://[::1]:8/x",
        "https://h?q", "https://h#f", "https://h/a?q#f", "HTTPS://h", "https:", "https://", "https:///p", "h", "/h", "ftp://h",
        "https://h/é",
        "https://h/a;b", "https://exämple.de",
    ])
    func `joining by hand gives what Foundation gives`(base: String) throws {
        let base = try #require(URL(string: base))
        let paths = [
            "a", "/a", "//a", "a/", "a//", "/", "//", "a//b", ".", "..", "./a", "../a", "a/..", "a/./b", "a:b", "a;b", "a=b,c+d@e&f", "a!b",
            "é", "%41",
            "a?b", "a#b", "a\\b", "~a", "a_b-c.d",
        ]
        for path in paths {
            let target = AnyTarget(baseURL: base, path: path)
            let expected = base.appendingPathComponent(path)

            #expect(TargetURL.text(of: target) == expected.absoluteString, "\(base) and \(path)")
            #expect(URL(target: target).absoluteString == expected.absoluteString, "\(base) and \(path)")
        }
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 3))
    func `joining random parts by hand gives what Foundation gives`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("abcXYZ019//.-_~,=+@&:;%?# !$'()*é")
        let origins = [
            "https://host.example", "http://h:80", "https://u:p@h", "https://[::1]:8", "http://127.0.0.1", "HTTP://H", "custom://h",
        ]
        for _ in 0..<1_000 {
            let path = String((0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            let prefix = String((0..<Int.random(in: 0...6, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            let origin = try #require(origins.randomElement(using: &random))
            let base = try #require(URL(string: Bool.random(using: &random) ? "\(origin)/\(prefix)" : origin))

            let expected = path.isEmpty ? base : base.appendingPathComponent(path)
            #expect(TargetURL.text(of: AnyTarget(baseURL: base, path: path)) == expected.absoluteString)
        }
    }

    @Test func `a base that is relative to another is left to Foundation`() throws {
        let base = try #require(URL(string: "v1/", relativeTo: URL(string: "https://h/api/")))

        #expect(URL(target: AnyTarget(baseURL: base, path: "zen")).absoluteString == "https://h/api/v1/zen")
    }
}

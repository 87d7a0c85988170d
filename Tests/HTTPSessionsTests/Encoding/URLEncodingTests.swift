// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLEncodingTests {
    private func query(_ parameters: Parameters, _ encoding: URLEncoding = .queryString) throws -> String? {
        let request = try encoding.encode(URLRequest(url: "https://example.com/", method: .get), with: parameters)
        return URLComponents(url: try #require(request.url), resolvingAgainstBaseURL: false)?.percentEncodedQuery
    }

    private func body(_ parameters: Parameters, _ encoding: URLEncoding = .httpBody) throws -> String {
        let request = try encoding.encode(URLRequest(url: "https://example.com/", method: .post), with: parameters)
        return String(decoding: try #require(request.httpBody), as: UTF8.self)
    }

    @Test func `a form of everything is written in the order of its keys`() throws {
        let parameters: Parameters = ["b": true, "a": [1, "x y", false], "d": ["z": 1, "k": [2]], "n": 1.5]

        #expect(try body(parameters) == "a%5B%5D=1&a%5B%5D=x%20y&a%5B%5D=0&b=1&d%5Bk%5D%5B%5D=2&d%5Bz%5D=1&n=1.5")
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .post, .put, .patch, .options, .query])
    func `the method decides where pairs go`(method: HTTPMethod) throws {
        let request = try URLEncoding.default.encode(URLRequest(url: "https://example.com/p", method: method), with: ["a": 1])

        if [.get, .head, .delete].contains(method) {
            #expect(request.url?.absoluteString == "https://example.com/p?a=1")
            #expect(request.httpBody == nil)
            #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
        } else {
            #expect(request.url?.absoluteString == "https://example.com/p")
            #expect(request.httpBody == Data("a=1".utf8))
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
        }
    }

    @Test(arguments: [
        ("https://h/p", "https://h/p?a=1"),
        ("https://h", "https://h?a=1"),
        ("https://h/p?x=%20y", "https://h/p?x=%20y&a=1"),
        ("https://h/p?", "https://h/p?a=1"),
        ("https://h/p#f", "https://h/p?a=1#f"),
        ("https://h/p?x#f?g", "https://h/p?x&a=1#f?g"),
        ("https://h/p#f?g", "https://h/p?a=1#f?g"),
    ])
    func `the query is appended to what is there, before the fragment`(url: String, expected: String) throws {
        let request = try URLEncoding.queryString.encode(URLRequest(url: url, method: .post), with: ["a": 1])

        #expect(request.url?.absoluteString == expected)
    }

    @Test(arguments: [[:], ["a": [Int]()], ["a": [String: Int]()]] as [[String: any Sendable]])
    func `parameters without a pair leave the URL alone and make an empty body`(parameters: [String: any Sendable]) throws {
        let inURL = try URLEncoding.queryString.encode(URLRequest(url: "https://h/p", method: .get), with: parameters)
        let inBody = try URLEncoding.httpBody.encode(URLRequest(url: "https://h/p", method: .post), with: parameters)

        #expect(inURL.url?.absoluteString == "https://h/p")
        #expect(inBody.httpBody == Data())
        #expect(inBody.value(forHTTPHeaderField: "Content-Type") != nil)
    }

    @Test func `nil leaves the request as it is`() throws {
        let request = try URLEncoding.httpBody.encode(URLRequest(url: "https://h/p", method: .post), with: nil)

        #expect(request.httpBody == nil)
        #expect(request.allHTTPHeaderFields?.isEmpty ?? true)
    }

    @Test func `a content type that is there stays`() throws {
        let request = try URLRequest(url: "https://h/p", method: .post, headers: ["content-type": "a/b"])

        #expect(try URLEncoding.default.encode(request, with: ["a": 1]).value(forHTTPHeaderField: "Content-Type") == "a/b")
    }

    @Test func `a request without a URL is an error`() throws {
        var request = try URLRequest(url: "https://h", method: .get)
        request.url = nil

        let error = #expect(throws: AFError.self) { try URLEncoding.default.encode(request, with: ["a": 1]) }
        guard case .parameterEncodingFailed(.missingURL) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test func `everything but the unreserved characters, slash and question mark is escaped`() throws {
        let kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?"
        #expect(URLEncoding.default.escape(kept) == kept)

        for byte in UInt8(0)..<128 where !kept.utf8.contains(byte) {
            let hex = String(byte, radix: 16, uppercase: true)
            let escaped = URLEncoding.default.escape(String(UnicodeScalar(byte)))
            #expect(escaped == "%" + (hex.count == 1 ? "0" : "") + hex)
            #expect(!CharacterSet.afURLQueryAllowed.contains(UnicodeScalar(byte)))
        }
        #expect(URLEncoding.default.escape(" +&=%[]é") == "%20%2B%26%3D%25%5B%5D%C3%A9")
        #expect(kept.unicodeScalars.allSatisfy(CharacterSet.afURLQueryAllowed.contains))
    }

    @Test func `arrays have four forms`() throws {
        let parameters: Parameters = ["k": [1, "x"] as [Any]]
        func encoding(_ array: URLEncoding.ArrayEncoding) -> URLEncoding { URLEncoding(destination: .httpBody, arrayEncoding: array) }

        #expect(try body(parameters, encoding(.brackets)) == "k%5B%5D=1&k%5B%5D=x")
        #expect(try body(parameters, encoding(.noBrackets)) == "k=1&k=x")
        #expect(try body(parameters, encoding(.indexInBrackets)) == "k%5B0%5D=1&k%5B1%5D=x")
        #expect(try body(parameters, encoding(.custom { "\($0).\($1)" })) == "k.0=1&k.1=x")
        #expect(try body(["k": [["a": 1]]]) == "k%5B%5D%5Ba%5D=1")
        #expect(URLEncoding.default.queryComponents(fromKey: "k", value: [1, 2]).map(\.0) == ["k%5B%5D", "k%5B%5D"])
    }

    @Test func `nested dictionaries are written in the order of their keys`() throws {
        let nested = Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", $0) })

        #expect(try query(["k": nested]) == (0..<10).map { "k%5B\($0)%5D=\($0)" }.joined(separator: "&"))
    }

    @Test func `Booleans are numbers or words, and numbers are never Booleans`() throws {
        let literal = URLEncoding(destination: .httpBody, boolEncoding: .literal)
        let values: [(Any, String)] = [
            (true, "true"), (false, "false"), (NSNumber(value: true), "true"), (NSNumber(value: false), "false"),
            (1, "1"), (0, "0"), (NSNumber(value: 1), "1"), (NSNumber(value: 0), "0"), (Int8(1), "1"), (NSNumber(value: Int8(1)), "1"),
            (UInt8(0), "0"), (NSNumber(value: UInt8(1)), "1"), (Int64.max, "9223372036854775807"), (UInt64.max, "18446744073709551615"),
            (NSNumber(value: Int64.min), "-9223372036854775808"), (Optional(true) as Any, "true"), (Optional(1) as Any, "1"),
        ]

        for (value, text) in values {
            #expect(try body(["v": value], literal) == "v=\(text)", "\(type(of: value)) \(value)")
        }
        #expect(try body(["a": true, "b": false]) == "a=1&b=0")
    }

    @Test func `whole floating-point numbers have no fraction`() throws {
        let values: [(Any, String)] = [
            (1.0, "1"), (1.5, "1.5"), (0.1, "0.1"), (Float(2), "2"), (Float(0.1), "0.1"), (NSNumber(value: 1.0), "1"),
            (NSNumber(value: 2.25), "2.25"), (NSNumber(value: Float(3)), "3"), (-4.0, "-4"), (1e20, "1e%2B20"),
        ]

        for (value, text) in values {
            #expect(try body(["v": value]) == "v=\(text)", "\(type(of: value)) \(value)")
        }
    }

    @Test func `what is missing or null is written as a word, Foundation's containers as Swift's`() throws {
        #expect(try body(["v": Optional<Int>.none as Any]) == "v=nil")
        #expect(try body(["v": NSNull()]) == "v=%3Cnull%3E")
        #expect(try body(["v": Optional("x") as Any]) == "v=x")
        #expect(try body(["v": NSString(string: "a b")]) == "v=a%20b")
        #expect(try body(["v": NSArray(array: [1, "x"])]) == "v%5B%5D=1&v%5B%5D=x")
        #expect(try body(["v": NSDictionary(dictionary: ["k": 1])]) == "v%5Bk%5D=1")
        #expect(try body(["v": Substring("sub")]) == "v=sub")
    }
}

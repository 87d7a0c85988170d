// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct HTTPHeadersTests {
    @Test func `names compare without case`() {
        let headers: HTTPHeaders = ["Content-Type": "text/plain"]

        #expect(headers["content-type"] == "text/plain")
        #expect(headers.value(for: "CONTENT-TYPE") == "text/plain")
        #expect(headers["Content-Typ"] == nil)
    }

    @Test func `an update keeps the position and takes the new spelling`() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "C": "3"]

        headers.update(name: "b", value: "two")
        headers.add(name: "D", value: "4")

        #expect(headers.map(\.name) == ["A", "b", "C", "D"])
        #expect(headers.map(\.value) == ["1", "two", "3", "4"])
    }

    @Test(arguments: [3, 40])
    func `of several fields with one name the last wins in the first one's place`(count: Int) {
        let fields = (0..<count).map { HTTPHeader(name: "X-\($0)", value: "\($0)") }
        let headers = HTTPHeaders([HTTPHeader(name: "twice", value: "first")] + fields + [HTTPHeader(name: "Twice", value: "last")])

        #expect(headers.count == count + 1)
        #expect(headers.first == HTTPHeader(name: "Twice", value: "last"))
    }

    @Test func `setting nil removes a field and an unknown one is no error`() {
        var headers: HTTPHeaders = ["A": "1", "B": "2"]

        headers["a"] = nil
        headers.remove(name: "Z")

        #expect(headers == ["B": "2"])
    }

    @Test func `sorting goes by name without case`() {
        let headers: HTTPHeaders = ["b": "1", "A": "2", "C": "3"]

        #expect(headers.sorted().map(\.name) == ["A", "b", "C"])
    }

    @Test func `equal dictionaries give equal fields whatever their order`() {
        let names = (0..<50).map { "Name-\($0)" }
        let one = Dictionary(uniqueKeysWithValues: names.map { ($0, "v") })
        let other = Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, "v") })

        #expect(HTTPHeaders(one) == HTTPHeaders(other))
        #expect(HTTPHeaders(["a": "lower", "A": "upper"]).count == 1)
    }

    @Test func `names that are equal text in different bytes do not trap`() {
        let headers = HTTPHeaders([HTTPHeader(name: "é", value: "1"), HTTPHeader(name: "e\u{301}", value: "2")])

        #expect(headers.dictionary.count == 1)
    }

    @Test func `the description is one line a field and hides credentials`() {
        let headers: HTTPHeaders = [
            .authorization(bearerToken: "hunter2"), .accept("*/*"), HTTPHeader(name: "set-cookie", value: "id=hunter2"),
            HTTPHeader(name: "Cookie", value: "hunter2"), HTTPHeader(name: "Proxy-Authorization", value: "hunter2"),
        ]

        #expect(headers.description.hasPrefix("Authorization: <redacted>\nAccept: */*\n"))
        var dumped = ""
        dump(headers, to: &dumped)
        for text in [headers.description, headers.debugDescription, "\(headers.map(\.debugDescription))", dumped, "\([headers])"] {
            #expect(!text.contains("hunter2"))
        }
        #expect(headers["Authorization"] == "Bearer hunter2")
    }

    @Test func `each factory names its field`() {
        let made: [(HTTPHeader, String, String)] = [
            (.accept("v"), "Accept", "v"), (.acceptCharset("v"), "Accept-Charset", "v"), (.acceptLanguage("v"), "Accept-Language", "v"),
            (.acceptEncoding("v"), "Accept-Encoding", "v"), (.authorization("v"), "Authorization", "v"),
            (.contentDisposition("v"), "Content-Disposition", "v"), (.contentEncoding("v"), "Content-Encoding", "v"),
            (.contentType("v"), "Content-Type", "v"), (.userAgent("v"), "User-Agent", "v"),
            (.websocketProtocol("v"), "Sec-WebSocket-Protocol", "v"), (.authorization(bearerToken: "t"), "Authorization", "Bearer t"),
            // RFC 7617 section 2.
            (
                .authorization(username: "Aladdin", password: "open sesame"), "Authorization",
                "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ),
        ]

        for (header, name, value) in made {
            #expect(header == HTTPHeader(name: name, value: value))
        }
    }

    @Test func `a configuration's and a response's fields can be read`() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["A": "1", "B": 2]
        #expect(configuration.headers == ["A": "1"])
        configuration.headers = ["C": "3"]
        #expect(configuration.httpAdditionalHeaders as? [String: String] == ["C": "3"])

        let response = try #require(
            HTTPURLResponse(
                url: "http://h/".asURL(), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["X-A": "1", "Content-Type": "a/b"]))
        #expect(response.headers["content-type"] == "a/b")
        #expect(response.headers["x-a"] == "1")
    }

    @Test func `the namespace af gives configurations with the default fields, a new one each time`() {
        for configuration in [URLSessionConfiguration.af.default, URLSessionConfiguration.af.ephemeral] {
            #expect(configuration.headers == HTTPHeaders.default.sorted())
        }
        #expect(URLSessionConfiguration.af.default !== URLSessionConfiguration.af.default)
    }
}

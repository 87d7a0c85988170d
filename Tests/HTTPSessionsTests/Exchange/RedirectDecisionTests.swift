// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import HTTPSessions

struct RedirectDecisionTests {
    private func request(
        _ method: String = "GET", _ url: String = "http://a.test/x/y?q=1", _ fields: HTTPFields = [:], body: HTTPBody? = nil
    ) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: url)), fields: fields, body: body)
    }

    private func decide(
        _ status: Int, _ location: String?, _ request: HTTPRequest, count: Int = 0
    ) -> Redirect {
        var fields = HTTPFields()
        if let location { fields.append(name: "Location", value: location) }
        return Redirect.decide(HTTPResponseHead(status: status, fields: fields), for: request, count: count, limit: 20)
    }

    private func followed(_ decision: Redirect) throws -> HTTPRequest {
        guard case .follow(let request) = decision else {
            throw TestFailure("the redirect is not followed: \(decision)")
        }
        return request
    }

    struct TestFailure: Error { let reason: String; init(_ reason: String) { self.reason = reason } }

    struct MethodRow: CustomStringConvertible, Sendable {
        let status: Int
        let method: String
        let next: String
        let keepsContent: Bool
        var description: String { "\(status) \(method)" }
        init(_ status: Int, _ method: String, _ next: String, keepsContent: Bool) {
            (self.status, self.method, self.next, self.keepsContent) = (status, method, next, keepsContent)
        }
    }

    @Test(arguments: [
        MethodRow(301, "GET", "GET", keepsContent: true), MethodRow(301, "POST", "GET", keepsContent: false),
        MethodRow(301, "PUT", "PUT", keepsContent: true), MethodRow(301, "HEAD", "HEAD", keepsContent: true),
        MethodRow(301, "DELETE", "DELETE", keepsContent: true),
        MethodRow(302, "GET", "GET", keepsContent: true), MethodRow(302, "POST", "GET", keepsContent: false),
        MethodRow(302, "PATCH", "PATCH", keepsContent: true),
        MethodRow(303, "GET", "GET", keepsContent: false), MethodRow(303, "POST", "GET", keepsContent: false),
        MethodRow(303, "PUT", "GET", keepsContent: false), MethodRow(303, "DELETE", "GET", keepsContent: false),
        MethodRow(303, "HEAD", "HEAD", keepsContent: true),
        MethodRow(307, "GET", "GET", keepsContent: true), MethodRow(307, "POST", "POST", keepsContent: true),
        MethodRow(307, "DELETE", "DELETE", keepsContent: true),
        MethodRow(308, "POST", "POST", keepsContent: true), MethodRow(308, "PUT", "PUT", keepsContent: true),
    ])
    func `the status and the method say what is sent next`(row: MethodRow) throws {
        let fields: HTTPFields = ["Content-Type": "text/plain", "X-Mine": "1"]

        let next = try followed(
            decide(row.status, "/z", request(row.method, "http://a.test/", fields, body: HTTPBody(Data("content".utf8)))))

        #expect(next.method == row.next)
        #expect((next.body != nil) == row.keepsContent)
        #expect(next.fields.contains(name: "Content-Type") == row.keepsContent)
        #expect(next.fields["X-Mine"] == "1")
    }

    @Test(arguments: [
        ("/z", "http://a.test/z"), ("z", "http://a.test/x/z"), ("../z", "http://a.test/z"), ("?p=2", "http://a.test/x/y?p=2"),
        ("//b.test/z", "http://b.test/z"), ("https://b.test", "https://b.test"), ("HTTP://b.test/", "HTTP://b.test/"),
        ("/z#there", "http://a.test/z#there"),
    ])
    func `a location is read relative to the URL that answered`(location: String, target: String) throws {
        #expect(try followed(decide(302, location, request())).url.absoluteString == target)
    }

    @Test func `a fragment is inherited unless the target has its own`() throws {
        let request = try request("GET", "http://a.test/x#here")

        #expect(try followed(decide(302, "/z", request)).url.absoluteString == "http://a.test/z#here")
        #expect(try followed(decide(302, "/z#there", request)).url.absoluteString == "http://a.test/z#there")
    }

    @Test(arguments: [200, 204, 300, 304, 305, 306, 309, 399])
    func `other statuses are delivered even with a location`(status: Int) throws {
        guard case .deliver = decide(status, "/z", try request()) else {
            Issue.record("\(status) is not delivered")
            return
        }
    }

    @Test(arguments: [nil, ""])
    func `a redirect without a location is delivered`(location: String?) throws {
        guard case .deliver = decide(302, location, try request()) else {
            Issue.record("it is not delivered")
            return
        }
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://a.test/", "javascript:alert(1)", "data:text/plain,x", "about:blank"])
    func `a scheme other than http and https is refused`(location: String) throws {
        guard case .fail(let error) = decide(302, location, try request()) else {
            Issue.record("\(location) is not refused")
            return
        }
        #expect(error.kind == .unsupportedScheme)
    }

    @Test func `a URL without a host is refused as such`() throws {
        guard case .fail(let error) = decide(302, "http:///path", try request()) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.kind == .redirectRefused)
    }

    @Test func `the limit counts redirects that were followed`() throws {
        #expect(try followed(decide(302, "/z", request(), count: 19)).url.path == "/z")
        guard case .fail(let error) = decide(302, "/z", try request(), count: 20) else {
            Issue.record("the 21st redirect is followed")
            return
        }
        #expect(error.kind == .redirectLimitReached)
    }

    private static let secrets: HTTPFields = [
        "Authorization": "Bearer t", "Proxy-Authorization": "Basic x", "Cookie": "a=1", "X-Mine": "1",
    ]

    @Test(arguments: [
        "http://b.test/", "https://a.test/", "http://a.test:8080/", "//a.test:81/", "http://a.test.evil.test/", "http://a.test@evil.test/",
    ])
    func `credentials and cookies do not cross to another origin`(location: String) throws {
        let next = try followed(decide(307, location, request("GET", "http://a.test/", Self.secrets)))

        #expect(next.fields.map(\.name) == ["X-Mine"])
    }

    @Test func `credentials do not go from https to http`() throws {
        let next = try followed(decide(302, "http://a.test/", request("GET", "https://a.test/", Self.secrets)))

        #expect(next.fields.map(\.name) == ["X-Mine"])
    }

    @Test(arguments: ["/z", "http://a.test/z", "http://a.test:80/z", "HTTP://A.TEST/z"])
    func `credentials and cookies stay within the origin`(location: String) throws {
        let next = try followed(decide(302, location, request("GET", "http://a.test/", Self.secrets)))

        #expect(next.fields.map(\.name) == ["Authorization", "Proxy-Authorization", "Cookie", "X-Mine"])
    }

    @Test func `the Host field is made anew`() throws {
        #expect(try followed(decide(302, "/z", request("GET", "http://a.test/", ["Host": "other.test"]))).fields.isEmpty)
    }
}

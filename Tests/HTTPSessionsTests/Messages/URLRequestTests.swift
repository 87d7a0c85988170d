// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLRequestTests {
    @Test func `methods are case-sensitive tokens in capitals`() {
        let methods: [HTTPMethod] = [.connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace]

        #expect(
            methods.map(\.rawValue) == [
                "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
            ])
        #expect(HTTPMethod(rawValue: "get") != .get)
    }

    @Test func `text, URL and components convert`() throws {
        let text = "https://example.com/a?b=c#d"

        #expect(try text.asURL().absoluteString == text)
        #expect(try text.asURL().asURL().absoluteString == text)
        #expect(try #require(URLComponents(string: text)).asURL().absoluteString == text)
    }

    @Test(arguments: ["", "some invalid URL", "https://example.com/a b", "http://[::1"])
    func `text that is no URL is an error`(text: String) throws {
        let error = #expect(throws: AFError.self) { try text.asURL() }

        #expect(error?.urlConvertible as? String == text)
    }

    @Test func `an invalid URL does not show its password or query`() throws {
        let error = try #require(throws: AFError.self) { try "https://user:hunter2@exa mple.com/a?token=hunter2#hunter2".asURL() }

        #expect(!"\(error) \(error.localizedDescription)".contains("hunter2"))
        #expect(error.localizedDescription.contains("exa mple.com/a"))
    }

    @Test func `components that make no URL are an error that hides user and password`() throws {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "example.com"
        components.path = "relative"
        components.user = "user"
        components.password = "hunter2"

        let error = try #require(throws: AFError.self) { try components.asURL() }
        #expect(error.isInvalidURLError)
        #expect(!"\(error) \(error.localizedDescription)".contains("hunter2"))
    }

    @Test func `a request takes method and fields`() throws {
        var request = try URLRequest(url: "https://example.com", method: .patch, headers: ["A": "1", "B": "2"])
        #expect(request.method == .patch)
        #expect(request.headers == ["A": "1", "B": "2"])

        request.method = .delete
        request.headers = ["C": "3"]
        #expect(request.httpMethod == "DELETE")
        #expect(request.allHTTPHeaderFields == ["C": "3"])
        #expect(request.urlRequest?.url == request.url)
    }

    @Test func `GET with a body is refused, and other methods are not`() throws {
        var request = try URLRequest(url: "https://example.com", method: .get)
        try request.validate()

        request.httpBody = Data("body".utf8)
        let error = try #require(throws: AFError.self) { try request.validate() }
        guard case .urlRequestValidationFailed(.bodyDataInGETRequest(let body)) = error else {
            Issue.record("unexpected \(error)")
            return
        }
        #expect(body == Data("body".utf8))

        request.method = .query
        try request.validate()
    }
}

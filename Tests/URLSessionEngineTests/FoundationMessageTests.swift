// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import URLSessionEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct FoundationMessageTests {
    @Test(arguments: [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        ("a=1,b=2; Path=/", ["a=1", "b=2; Path=/"]),
        ("a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT, b=2", ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2"]),
        ("a=\"x,y\"; Secure, b=", ["a=\"x,y\"; Secure", "b="]),
        ("a=1, not a cookie", ["a=1, not a cookie"]),
        (", ,", [", ,"]),
        ("", []),
    ])
    func `joined Set-Cookie values are taken apart`(joined: String, cookies: [String]) {
        #expect(JoinedCookies.split(joined) == cookies)
    }

    @Test(
        arguments: [
            (["Content-Length": "5"], false), (["Content-Length": "5, 5"], false), (["Content-Length": "5,6"], true),
            (["Content-Length": "x"], true), (["Content-Length": "-1"], true), (["Transfer-Encoding": "chunked"], false),
            (["Content-Length": "5", "Transfer-Encoding": "chunked"], true), ([:], false),
        ] as [(HTTPFields, Bool)])
    func `lengths that contradict each other are found`(fields: HTTPFields, isBroken: Bool) {
        #expect((HTTPResponseHead(status: 200, fields: fields).lengthFault != nil) == isBroken)
    }

    @Test func `the declared length counts for content that is delivered as it came`() {
        #expect(HTTPResponseHead(status: 200, fields: ["Content-Length": "5"]).declaredLength == 5)
        #expect(HTTPResponseHead(status: 200, fields: ["Content-Length": "5", "Content-Encoding": "identity"]).declaredLength == 5)
        #expect(HTTPResponseHead(status: 200, fields: ["Content-Length": "5", "Content-Encoding": "br"]).declaredLength == nil)
    }

    @Test func `a request keeps its parts, joins what Foundation cannot repeat, and leaves out what the transport makes`() throws {
        let url = try #require(URL(string: "HTTPS://user:pass@Example.com:8443/a?b#c"))
        let request = URLRequest(
            HTTPRequest(
                method: "PATCH", url: url,
                fields: ["X": "1", "x": "2", "Cookie": "a=b", "cookie": "c=d", "Content-Length": "7", "Transfer-Encoding": "chunked"]))

        #expect(request.httpMethod == "PATCH")
        #expect(request.url?.absoluteString == "https://Example.com:8443/a?b#c")
        #expect(request.allHTTPHeaderFields == ["X": "1, 2", "Cookie": "a=b; c=d"])
        #expect(!request.httpShouldHandleCookies)
    }

    @Test(arguments: [
        (URLError.Code.cannotFindHost, HTTPError.Kind.hostNotFound), (.cannotConnectToHost, .connectFailed), (.timedOut, .idleTimedOut),
        (.networkConnectionLost, .connectionLost), (.cancelled, .cancelled), (.serverCertificateHasBadDate, .certificateExpired),
        (.secureConnectionFailed, .tlsFailed), (.unknown, .other), (.unsupportedURL, .unsupportedScheme),
    ])
    func `Foundation's codes have a kind each, and the error is kept`(code: URLError.Code, kind: HTTPError.Kind) {
        let error = HTTPError.fromFoundation(URLError(code), attempting: "GET http://localhost/", afterHead: false)

        #expect(error.kind == kind)
        #expect((error.underlyingError as? URLError)?.code == code)
    }

    @Test(arguments: [
        ("transfer closed with 6 bytes remaining to read", HTTPError.Kind.truncatedContent),
        ("Received HTTP/0.9 when not allowed", .malformedResponse),
        ("SSL certificate problem: certificate has expired", .certificateExpired),
        ("SSL certificate problem: self-signed certificate", .certificateUntrusted),
        ("SSL: no alternative certificate subject name matches target host name 'localhost'", .certificateWrongHost),
        ("OpenSSL SSL_connect: Connection reset by peer", .tlsFailed),
        ("Recv failure: Connection reset by peer", .connectionLost),
        ("Too large response headers: 307347 > 307200", .headTooLarge),
        ("Could not resolve host: no-such-host.invalid", .hostNotFound),
        ("Error while processing content unencoding: incorrect header check", .decompressionFailed),
    ])
    func `libcurl's words say more than the code that Foundation gives them`(text: String, kind: HTTPError.Kind) {
        let error = NSError(domain: NSURLErrorDomain, code: NSURLErrorUnknown, userInfo: [NSLocalizedDescriptionKey: text])

        #expect(HTTPError.fromFoundation(error, attempting: "GET", afterHead: false).kind == kind)
    }

    @Test func `the certificates in PEM text are found between other text`() {
        let text = """
            subject=/CN=one
            -----BEGIN CERTIFICATE-----
            AQID
            BAU=
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            AAAA
            -----END PRIVATE KEY-----
            -----BEGIN CERTIFICATE-----\r
            /w==\r
            -----END CERTIFICATE-----\r
            """

        #expect(PEMCertificates.decode(Data(text.utf8)) == [Data([1, 2, 3, 4, 5]), Data([0xFF])])
    }
}

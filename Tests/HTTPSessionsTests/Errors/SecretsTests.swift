// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends known secrets through everything that can be printed, and looks for them.
@Suite(.timeLimit(.minutes(1)))
struct SecretsTests {
    private static let password = "p4ssw0rd-that-must-not-show"
    private static let token = "t0ken-that-must-not-show"
    private static let cookie = "c00kie-that-must-not-show"

    private func expectNoSecret(in text: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in [Self.password, Self.token, Self.cookie] {
            #expect(!text.contains(secret), "\(what) shows a secret", sourceLocation: sourceLocation)
        }
        let encoded = Data("user:\(Self.password)".utf8).base64EncodedString()
        #expect(!text.contains(encoded), "\(what) shows a secret in Base64", sourceLocation: sourceLocation)
    }

    private func printings(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped, maxDepth: 12)
        return "\(value)\n\(String(reflecting: value))\n\(dumped)"
    }

    private func server() throws -> TestServer {
        try TestServer { request in
            if request.path == "/reset" { return .reset }
            return request.fields.values("Authorization").isEmpty
                ? .status(
                    401, fields: ["WWW-Authenticate": #"Basic realm="r""#, "Set-Cookie": "session=\(Self.cookie)"], "who are you?")
                : .status(200, fields: ["Set-Cookie": "other=\(Self.cookie)", "Content-Type": "text/plain"], "in")
        }
    }

    @Test func `a request does not show what it carries`() async throws {
        let server = try server()
        let session = Session.alone()
        let url = "http://user:\(Self.password)@127.0.0.1:\(server.port)/in?access_token=\(Self.token)"

        let request = session.request(url, headers: ["Cookie": "a=\(Self.cookie)"])
            .authenticate(username: "user", password: Self.password)
        let response = await request.serializingString().response

        #expect(response.value == "in")
        expectNoSecret(in: request.description, "the description")
        expectNoSecret(in: printings(of: request), "the request")
        expectNoSecret(in: printings(of: session), "the session")
    }

    @Test func `a command for curl does not show credentials`() async throws {
        let server = try server()
        let session = Session.alone()

        let request = session.request(
            "http://user:\(Self.password)@127.0.0.1:\(server.port)/in",
            headers: ["Authorization": "Bearer \(Self.token)", "Cookie": "a=\(Self.cookie)"]
        ).authenticate(username: "user", password: Self.password)
        _ = await request.serializingString().response

        expectNoSecret(in: request.cURLDescription(), "the command")
        #expect(request.cURLDescription(redacting: false).contains(Self.password))
    }

    @Test func `a failure does not show what was sent`() async throws {
        let server = try server()
        let session = Session.alone()
        let urls = [
            "http://user:\(Self.password)@127.0.0.1:\(server.port)/reset?access_token=\(Self.token)",
            "ftp://user:\(Self.password)@a.test/?access_token=\(Self.token)",
        ]

        for url in urls {
            let request = session.request(url, method: .post, headers: ["Authorization": "Bearer \(Self.token)"])
            let error = try #require(await request.serializingString().response.error)
            expectNoSecret(in: "\(error)\n\(String(reflecting: error))\n\(error.errorDescription ?? "")", "the error of \(request)")
            expectNoSecret(in: error.localizedDescription, "the description of the error")
            expectNoSecret(in: printings(of: try #require(error.httpError)), "the engine's error")
        }
    }

    @Test func `a field that cannot be sent is not shown`() async throws {
        let session = Session.alone()

        let error = await session.request("http://127.0.0.1:9/", headers: ["X-Key": "\(Self.token)\r\nX-Other: 1"]).serializingString()
            .response.error

        #expect(error?.httpError?.kind == .invalidField)
        expectNoSecret(in: "\(String(describing: error)) \(error?.errorDescription ?? "")", "the error")
    }

    @Test func `a response's printed form does not show credentials`() async throws {
        let server = try server()
        let session = Session.alone()

        let response = await session.request(
            "http://user:\(Self.password)@127.0.0.1:\(server.port)/in", headers: ["Authorization": "Bearer \(Self.token)"]
        ).serializingString().response

        expectNoSecret(in: response.description, "the description")
        expectNoSecret(in: response.debugDescription, "the long description")
    }
}

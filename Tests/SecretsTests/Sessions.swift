// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EverythingPrintedTests {
    /// Behaves well and badly, by path, and hands out a cookie.
    static func server() throws -> TestServer {
        try TestServer { request in
            let fields: FieldList = ["Set-Cookie": "session=\(Looker.token)", "Content-Type": "text/plain"]
            return switch request.path {
            case "/reset": .reset
            case "/cut": ScriptedResponse.ok("hello", fields: fields).declaringLength(50)
            case "/401": .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#, "Set-Cookie": "session=\(Looker.token)"], "no")
            case "/bearer": .status(401, fields: ["WWW-Authenticate": #"Bearer realm="r""#], "no")
            case "/file": .redirect(to: "file:///x?access_token=\(Looker.token)")
            case "/circle": .redirect(to: "/circle?access_token=\(Looker.token)")
            case "/away": .redirect(to: "http://127.0.0.2:1/?access_token=\(Looker.token)")
            case "/head": .raw("HTTP/1.1 200 OK\r\nSet-Cookie \(Looker.token)\r\n\r\n")
            case "/token": .status(200, fields: ["Content-Type": "application/json"], "{\"access_token\": \"\(Looker.token)\"")
            default: .ok("hello", fields: fields)
            }
        }
    }

    static let paths = ["/in", "/reset", "/cut", "/401", "/file", "/circle", "/away", "/head"]

    /// An interceptor that fails with what it was given, as careless ones do not.
    private struct Token: AuthenticationCredential, Codable, Equatable, Sendable {
        let token: String
        var requiresRefresh: Bool { true }
    }

    private final class Failing: AsyncAuthenticator {
        let secret = Looker.token
        func apply(_ credential: Token, to urlRequest: inout URLRequest) {}
        func refresh(_ credential: Token, for session: Session) async throws -> Token {
            let url = try EverythingPrintedTests.url(1)
            _ = try await Session(configuration: URLSessionConfiguration.af.ephemeral)
                .request(url, method: .post, parameters: ["refresh_token": Looker.token]).serializingData().value
            return credential
        }
        func didRequest(
            _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
        ) -> Bool { true }
        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool { true }
    }

    func lookAtSessions(_ looker: Looker) async throws {
        let server = try Self.server()
        let headers = HTTPHeaders(Self.fields)
        looker.look(at: headers, "HTTPHeaders")
        for header in headers { looker.look(at: header, "HTTPHeader") }
        let session = Session(configuration: URLSessionConfiguration.af.ephemeral)

        for path in Self.paths {
            let url = try Self.url(server.port, path: path)
            let credential = URLCredential(user: Looker.user, password: Looker.password, persistence: .none)
            let log = Locked<[String]>([])
            let request = session.request(
                url, method: .post, parameters: ["password": Looker.password, "token": Looker.token], headers: headers
            ).authenticate(with: credential).validate().cURLDescription { text in log.withLock { $0.append(text) } }
            let task = request.serializingString()
            let response = await task.response
            looker.look(at: request, "a request to \(path)")
            looker.look(at: task, "a task of \(path)")
            looker.look(at: response, "a response of \(path)")
            looker.look(at: response.result, "a result of \(path)")
            if let error = response.error { Self.look(at: error, path, looker) }
            looker.look(in: request.cURLDescription(), "cURL", path)
            for text in log.withLock({ $0 }) { looker.look(in: text, "cURL, later", path) }

            let download = session.download(url, headers: headers).authenticate(with: credential).validate()
            let downloaded = await download.serializingData().response
            looker.look(at: download, "a download of \(path)")
            looker.look(at: downloaded, "a download's response of \(path)")
            if let error = downloaded.error { Self.look(at: error, path, looker) }
            let upload = session.upload(Data(Looker.password.utf8), to: url, headers: headers).authenticate(with: credential)
            looker.look(at: await upload.serializingData().response, "an upload's response of \(path)")
            looker.look(at: upload, "an upload to \(path)")
        }
        looker.look(at: session, "Session")

        let refusals: [any URLConvertible] = [
            "ftp://\(Looker.user):pass@a.test/?access_token=\(Looker.token)", "http://[?token=\(Looker.token)",
        ]
        for url in refusals {
            let request = session.request(url, headers: headers)
            looker.look(at: try #require(await request.serializingData().response.error), "a refused URL")
            looker.look(at: request, "a request to a refused URL")
        }
        for headers in [["X": "\(Looker.token)\r\nY: z"], ["X \(Looker.token)": "y"]] as [HTTPHeaders] {
            looker.look(
                at: try #require(await session.request(server.url(), headers: headers).serializingData().response.error), "a refused field")
        }
        let store = MemorySecretStore()
        try store.setValue(Token(token: Looker.token), for: "token")
        let interceptor = try AuthenticationInterceptor(authenticator: Failing(), storedIn: store, key: "token")
        looker.look(at: interceptor, "AuthenticationInterceptor")
        let failed = await Session(configuration: URLSessionConfiguration.af.ephemeral, interceptor: interceptor)
            .request(server.url()).serializingData().response
        looker.look(at: failed, "a response after a failed refresh")
        Self.look(at: try #require(failed.error), "a failed refresh", looker)
    }

    private static func look(at error: AFError, _ what: String, _ looker: Looker) {
        looker.look(at: error, "an error of \(what)")
        if let underlying = error.underlyingError { looker.look(at: underlying, "the underlying error of \(what)") }
        if let httpError = error.httpError { looker.look(at: httpError, "the engine's error of \(what)") }
        if let url = error.url { looker.look(in: url.redactedDescription, "the error's URL", what) }
    }
}

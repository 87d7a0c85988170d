// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProviderAuthenticationTests {
    /// An API that takes one token, and beside it the token endpoint that gives it.
    private func server(gives token: String = "new") throws -> TestServer {
        try TestServer { request in
            if request.path == "/token" {
                return .json("{\"access_token\": \"\(token)\", \"token_type\": \"Bearer\", \"refresh_token\": \"rt-2\"}")
            }
            return request.fields.values("Authorization") == ["Bearer new"] ? .ok("in") : .status(401, "out")
        }
    }

    private func client(_ server: TestServer, _ authentication: OAuth2ClientAuthentication = .none) -> OAuth2Client {
        OAuth2Client(
            clientID: "app", authentication: authentication, server: OAuth2AuthorizationServer(tokenEndpoint: server.url("/token")))
    }

    private func tasks(_ folder: borrowing ScratchFolder) throws -> [Moya.Task] {
        let file = try folder.file("upload", Data("content".utf8))
        let form = MultipartFormData(parts: [MultipartFormBodyPart(provider: .data(Data("part".utf8)), name: "part")])
        return [.requestPlain, .requestData(Data("content".utf8)), .uploadFile(file), .uploadMultipartFormData(form)]
    }

    @Test func `one line makes a provider whose token is renewed when it is refused, once, whatever its targets accept`() async throws {
        let server = try server()
        let token = OAuth2TokenResponse(accessToken: "old", refreshToken: "rt-1")
        let provider = MoyaProvider<AnyTarget>(oauth2: client(server), token: token)
        let folder = try ScratchFolder()
        for task in try tasks(folder) {
            let response = try await provider.request(.on(server, "/a", method: .post, task: task))
            #expect(response.statusCode == 200)
            #expect(try response.mapString() == "in")
        }
        #expect(
            server.requests.filter { $0.path == "/token" }.map(\.bodyText) == [
                "grant_type=refresh_token&refresh_token=rt-1&client_id=app"
            ])
    }

    @Test func `without a token the client's own credentials get one`() async throws {
        let server = try server()
        let provider = MoyaProvider<AnyTarget>(oauth2: client(server, .secretPost("secret")))
        #expect(try await provider.request(.on(server, "/a")).statusCode == 200)
        #expect(server.requests[0].bodyText == "grant_type=client_credentials&client_id=app&client_secret=secret")
        #expect(server.requestCount == 2)
    }

    @Test func `a new token that is refused, too, is an error with the response, and the tries have an end`() async throws {
        let server = try server(gives: "refused")
        let token = OAuth2TokenResponse(accessToken: "old", refreshToken: "rt-1")
        let provider = MoyaProvider<AnyTarget>(oauth2: client(server), token: token)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.on(server, "/a")) }
        #expect(error?.response?.statusCode == 401)
        #expect(server.requests.filter { $0.path == "/token" }.count <= 5)
    }

    @Test func `any interceptor that authenticates will do`() async throws {
        let server = try server()
        let interceptor = AuthenticationInterceptor(
            authenticator: OAuth2TokenAuthenticator(client: client(server)),
            credential: OAuth2Credential(OAuth2TokenResponse(accessToken: "old", refreshToken: "rt-1")))
        let provider = MoyaProvider<AnyTarget>(authenticatedBy: interceptor)
        #expect(try await provider.request(.on(server, "/a")).statusCode == 200)
        #expect(interceptor.credential?.token?.accessToken == "new")
    }
}

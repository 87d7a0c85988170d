// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct CredentialsTests {
    private let credential = URLCredential(user: "user", password: "passwd", persistence: .none)

    @Test(arguments: ["/basic-auth/user/passwd", "/digest-auth/auth/user/passwd"])
    func `a credential answers a challenge and is not sent before it`(path: String) async throws {
        let server = try TestServer(handler: LoopbackAPI().respond)
        let provider = MoyaProvider<AnyTarget>(plugins: [CredentialsPlugin { [credential] _ in credential }])

        let response = try await provider.request(.on(server, path, validation: .successCodes))

        #expect(response.statusCode == 200)
        #expect(server.requests.map { $0.fields["Authorization"] != nil } == [false, true])
    }

    @Test func `a wrong credential leaves the challenge's response`() async throws {
        let server = try TestServer(handler: LoopbackAPI().respond)
        let wrong = URLCredential(user: "user", password: "wrong", persistence: .none)
        let provider = MoyaProvider<AnyTarget>(plugins: [CredentialsPlugin { _ in wrong }])

        #expect(try await provider.request(.on(server, "/basic-auth/user/passwd")).statusCode == 401)
    }

    @Test func `a token is sent at once`() async throws {
        struct Guarded: TargetType, AccessTokenAuthorizable {
            var baseURL: URL
            var path: String { "/p" }
            var method: Moya.Method { .get }
            var task: Task { .requestPlain }
            var headers: [String: String]? { nil }
            var authorizationType: AuthorizationType? { .bearer }
        }
        let server = try TestServer { _ in .ok }

        _ = try await MoyaProvider<Guarded>(plugins: [AccessTokenPlugin { _ in "t" }]).request(Guarded(baseURL: server.baseURL))

        #expect(server.requests.map { $0.fields["Authorization"] } == ["Bearer t"])
    }

    // MARK: Logs

    private func curlLog(_ options: NetworkLoggerPlugin.Configuration.LogOptions) async throws -> String {
        let server = try TestServer { _ in .ok }
        let log = EventRecorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, items in for item in items { log.record(item) } }, logOptions: options))
        let provider = MoyaProvider<AnyTarget>(plugins: [logger])

        _ = try await provider.request(.on(server, headers: ["Authorization": "Bearer hunter2", "X-Visible": "visible"]))

        let events = try await log.wait(until: { $0.contains { $0.contains("$ curl") } })
        return try #require(events.first { $0.contains("$ curl") })
    }

    @Test func `a logged curl command has no secrets`() async throws {
        let text = try await curlLog(.formatRequestAscURL)

        #expect(text.contains("Request: $ curl -v"))
        #expect(text.contains("X-Visible: visible"))
        #expect(text.contains("Authorization"))
        #expect(!text.contains("hunter2"))
    }

    @Test func `a logged curl command has secrets for who asks for them`() async throws {
        #expect(try await curlLog([.formatRequestAscURL, .secrets]).contains("hunter2"))
    }

    @Test func `a stub's curl command is that of the prepared request`() async throws {
        let log = EventRecorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, items in for item in items { log.record(item) } }, logOptions: .formatRequestAscURL))
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub, plugins: [logger])

        _ = try await provider.request(.animal("emu"))

        let events = try await log.wait(until: { $0.contains { $0.contains("$ curl") } })
        let text = try #require(events.first { $0.contains("$ curl") })
        #expect(text.contains("\"https://zoo.example/animals/emu\""))
        #expect(text.contains("Accept: application/json"))
    }
}

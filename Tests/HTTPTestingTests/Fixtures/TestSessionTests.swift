// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestSessionTests {
    @Test func `a session speaks to its server, and nothing is left`() async throws {
        let text = try await withTestSession { session, server in
            server.enqueue(.ok("hello"))
            return try await session.request(server.url("/greeting")).serializingString().value
        }

        #expect(text == "hello")
    }

    @Test func `a response that nobody asked for is found`() async throws {
        let error = await #expect(throws: TestSessionError.self) {
            try await withTestSession { _, server in server.enqueue(.ok, .ok) }
        }

        #expect(error?.description == "2 responses in the queue were not asked for.")
    }

    @Test func `a request against the grammar is found`() async throws {
        let error = await #expect(throws: TestSessionError.self) {
            try await withTestSession { _, server in
                let client = try RawClient(port: server.port)
                client.send("nonsense\r\n\r\n")
                _ = client.readToEnd()
            }
        }

        #expect(error?.description == "The client broke HTTP's grammar: the request line does not have three parts.")
    }

    @Test func `the body's error comes through`() async throws {
        await #expect(throws: CancellationError.self) {
            try await withTestSession { _, server in
                server.enqueue(.ok)
                throw CancellationError()
            }
        }
    }

    @Test func `a session over a scripted transport needs no server`() async throws {
        let transport = ScriptedTransport()
        transport.enqueue(.json(#"{"a":1}"#))
        let session = Session(transport: transport)

        let text = try await session.request("http://nowhere.invalid/x?y=1").serializingString().value

        #expect(text == #"{"a":1}"#)
        #expect(transport.messages.map(\.target) == ["/x?y=1"])
    }

    @Test(arguments: ["auth", "auth-int", "none"], ["MD5", "SHA-256", "SHA-512-256"])
    func `the API's Digest and the session's agree, names beyond ASCII included`(qop: String, algorithm: String) async throws {
        let api = LoopbackAPI()
        let target = LoopbackRoute.digestAuthWithAlgorithm.target(qop, "Jäsøn Doe", "Secret, or not?", algorithm)

        let text = try await withTestSession(handler: api.respond) { session, server in
            try await session.request(server.url(target)).authenticate(username: "Jäsøn Doe", password: "Secret, or not?")
                .serializingString(encoding: .utf8).value
        }

        #expect(text == #"{"authenticated":true,"user":"Jäsøn Doe"}"#)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClosingTests {
    @Test func `closing ends idle, stalled and blocked connections alike, and may be repeated`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in
            switch request.path {
            case "/stalled": ScriptedResponse.ok.stalled(by: gate)
            case "/blocked": .repeating(Data("x".utf8), count: 1 << 30)
            default: .ok
            }
        }
        let clients = try (0..<4).map { _ in try RawClient(port: server.port) }
        clients[0].get("/")
        _ = clients[0].readResponse()
        clients[1].get("/stalled")
        clients[2].get("/blocked")
        try await gate.waitForWaiters()
        try await server.waitForRequests(count: 3)
        try await server.waitForConnections(count: 4)

        server.close()
        server.close()

        #expect(server.openConnectionCount == 0)
        #expect(gate.waiterCount == 0)
        for client in clients { _ = client.readToEnd() }
        #expect(throws: (any Error).self) { try RawClient(port: server.port) }
    }

    @Test func `dropping the server closes it`() async throws {
        var server: TestServer? = try TestServer { _ in .ok("x") }
        let client = try RawClient(port: try #require(server).port)
        client.get("/")
        _ = client.readResponse()

        server = nil

        #expect(client.readToEnd() == ("", .closed))
    }

    @Test func `a wait ends with an error when the server is closed or the task cancelled`() async throws {
        let server = try TestServer()
        let cancelled = Task { try await server.waitForRequests(count: 1) }
        let abandoned = Task { try await server.waitForRequests(count: 1) }

        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        server.close()
        await #expect(throws: TestServerError.self) { try await abandoned.value }
    }

    @Test func `a handler may close the server it serves`() async throws {
        let box = EventRecorder<TestServer>()
        let server = try TestServer { _ in
            box.removeAll().first?.close()
            return .ok
        }
        box.record(server)
        let client = try RawClient(port: server.port)

        client.get("/")

        #expect(client.readToEnd().text.isEmpty)
    }
}

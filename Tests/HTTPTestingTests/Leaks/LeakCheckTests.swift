// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LeakCheckTests {
    @Test func `a client that stays connected is found`() async throws {
        let server = try TestServer { _ in .ok }
        let kept = EventRecorder<Kept<RawClient>>()

        let error = await #expect(throws: LeakError.self) {
            try await withLeakCheck([.connections(to: server)], deadline: .milliseconds(20)) {
                kept.record(Kept(try RawClient(port: server.port)))
            }
        }

        #expect(error?.description.contains("connections to port \(server.port): 0 before, 1 after") == true)
        #expect(error?.description.contains("to port \(server.port)") == true)
    }

    @Test func `what ends in time is no leak`() async throws {
        let server = try TestServer { _ in .ok("x") }

        let body = try await withLeakCheck([.connections(to: server)]) {
            let client = try RawClient(port: server.port)
            client.get("/")
            return client.readResponse().body
        }

        #expect(body == "x")
    }

    @Test func `a file left open is found`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("leak-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appendingPathComponent("file").path
        var descriptor: Int32 = -1

        await #expect(throws: LeakError.self) {
            try await withLeakCheck([.files(beneath: directory)], deadline: .milliseconds(20)) {
                descriptor = open(path, O_CREAT | O_RDWR, 0o600)
            }
        }
        close(descriptor)
    }

    @Test func `a counter of the caller's own is compared`() async throws {
        let left = EventRecorder<Int>()

        await #expect(throws: LeakError.self) {
            try await withLeakCheck([LeakCounter("things") { left.events.count }], deadline: .zero) { left.record(1) }
        }
        try await withLeakCheck([LeakCounter("things") { left.events.count }]) { _ = left.removeAll() }
    }

    @Test func `closing a server gives back all its descriptors`() async throws {
        let before = Set(OpenDescriptor.all().map(\.description))
        let server = try TestServer { _ in .ok }
        let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
        for client in clients {
            client.get("/")
            _ = client.readResponse()
        }
        // The server's own ends: sockets to the clients' ports. Another test's may have the same ports for another connection, and keep them.
        let ports = Set(clients.map(\.localPort))
        let ends = Set(OpenDescriptor.all().filter { ports.contains($0.peerPort ?? 0) })
        #expect(ends.count >= 20)

        server.close()

        let left = ends.intersection(OpenDescriptor.all())
        #expect(left.count == ends.count - 20, "\(left)")
        #expect(openFileDescriptorCount() > 0 && !before.isEmpty)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@testable import HTTPAuthentication

/// What holds for every store.
@Suite(.timeLimit(.minutes(1)))
struct SecretStoreTests {
    enum Kind: CaseIterable { case memory, file }

    private struct Token: Codable, Equatable {
        let access: String
        let expiry: Date
    }

    private let folder: SecretFolder

    init() throws { folder = try SecretFolder() }

    private func store(_ kind: Kind) -> any SecretStore {
        switch kind {
        case .memory: MemorySecretStore()
        case .file: FileSecretStore(path: folder.path("secrets.json"))
        }
    }

    @Test(arguments: Kind.allCases) func `a secret is kept, replaced and dropped, key by key`(kind: Kind) throws {
        let store = store(kind)
        let bytes = Data((0...255).map { UInt8($0) })

        #expect(try store.secret(for: "a") == nil)
        try store.removeSecret(for: "a")
        try store.setSecret(Data("first".utf8), for: "a")
        try store.setSecret(bytes, for: "a")
        try store.setSecret(Data(), for: "https://example.com:443/ \"b\"\n")

        #expect(try store.secret(for: "a") == bytes)
        #expect(try store.secret(for: "https://example.com:443/ \"b\"\n") == Data())
        try store.removeSecret(for: "a")
        #expect(try store.secret(for: "a") == nil)
        try store.removeAllSecrets()
        #expect(try store.secret(for: "https://example.com:443/ \"b\"\n") == nil)
        try store.removeAllSecrets()
    }

    @Test(arguments: Kind.allCases) func `a value comes back equal, dates to the last bit`(kind: Kind) throws {
        let store = store(kind)
        let token = Token(access: "zwölf \u{1F511}", expiry: Date(timeIntervalSinceReferenceDate: 817_395_123.456_789_01))

        try store.setValue(token, for: "token")
        try store.setValue("text", for: "text")

        #expect(try store.value(for: "token") == token)
        #expect(try store.value(String.self, for: "text") == "text")
        #expect(try store.value(String.self, for: "none") == nil)
    }

    @Test(arguments: Kind.allCases) func `a value of another kind is an error that does not show it`(kind: Kind) throws {
        let store = store(kind)
        try store.setValue("the-secret", for: "text")

        let error = try #require(throws: SecretStoreError.self) { try store.value(Int.self, for: "text") }

        #expect(error.label == "unreadable")
        #expect(!"\(error) \(String(reflecting: error)) \(error.localizedDescription)".contains("the-secret"))
        #expect(throws: SecretStoreError.unencodable(key: "nan")) { try store.setValue(Double.nan, for: "nan") }
    }

    @Test(arguments: Kind.allCases) func `exclusive access lets one at a time in, for each key`(kind: Kind) async throws {
        let store = store(kind)
        let inside = EventRecorder<Int>()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await store.withExclusiveAccess(to: "a") {
                        inside.record(number)
                        await Task.yield()
                        inside.record(number)
                    }
                }
            }
            try await group.waitForAll()
        }

        let events = inside.events
        #expect(events.count == 40)
        #expect(stride(from: 0, to: 40, by: 2).allSatisfy { events[$0] == events[$0 + 1] })
        // Another key is free meanwhile, and so is reading and writing.
        try await store.withExclusiveAccess(to: "a") {
            try await store.withExclusiveAccess(to: "b") { try store.setSecret(Data(), for: "a") }
        }
    }

    @Test func `who is cancelled while waiting leaves the queue to the others`() async throws {
        let turns = KeyedTurns()
        let first = try await turns.turn(for: "a")
        let waiting = Task { try await turns.turn(for: "a") }
        while turns.waiterCount(for: "a") < 1 { await Task.yield() }
        let behind = Task { try await turns.turn(for: "a") }
        while turns.waiterCount(for: "a") < 2 { await Task.yield() }

        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
        first.end()
        first.end()
        try await behind.value.end()
        try await turns.turn(for: "a").end()
        #expect(turns.waiterCount(for: "a") == 0)
    }

    @Test func `access ends when the last reference to it goes`() async throws {
        let turns = KeyedTurns()
        do { _ = try await turns.turn(for: "a") }
        try await turns.turn(for: "a").end()
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPAuthentication

@Suite(.timeLimit(.minutes(1)))
struct StoredValueTests {
    /// Keeps secrets in memory and refuses to write while it is told to.
    private final class StubbornStore: SecretStore {
        struct Refusal: Error {}
        let memory = MemorySecretStore()
        let isRefusing = Locked(false)

        func secret(for key: String) throws -> Data? { memory.secret(for: key) }
        func setSecret(_ secret: Data, for key: String) throws {
            if isRefusing.withLock({ $0 }) { throw Refusal() }
            memory.setSecret(secret, for: key)
        }
        func removeSecret(for key: String) throws { memory.removeSecret(for: key) }
        func removeAllSecrets() throws { memory.removeAllSecrets() }
        func exclusiveAccess(to key: String) async throws -> ExclusiveAccess { try await memory.exclusiveAccess(to: key) }
    }

    private let renewed = EventRecorder<String>()

    private func next(_ value: String) -> String {
        renewed.record(value)
        return value + "+"
    }

    @Test func `of many that hold the same value, over several instances, one renews it and all get what it got`() async throws {
        let store = MemorySecretStore()
        try await StoredValue(in: store, under: "k").save("old")

        let results = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await StoredValue(in: store, under: "k").renew("old") { value in
                        await Task.yield()
                        return next(value)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(results == Array(repeating: "old+", count: 50))
        #expect(renewed.events == ["old"])
        #expect(try store.value(for: "k") == "old+")
    }

    @Test func `what another has renewed is taken if it will do, and renewed in turn if it will not`() async throws {
        let store = MemorySecretStore()
        let value = StoredValue(String.self, in: store, under: "k")
        try store.setValue("another's", for: "k")

        #expect(try await value.renew("mine") { next($0) } == "another's")
        #expect(renewed.events.isEmpty)
        #expect(try await value.renew("mine", isUsable: { _ in false }) { next($0) } == "another's+")
        #expect(renewed.events == ["another's"])
    }

    @Test func `a renewal that has begun is written even if nobody waits for it any more`() async throws {
        let store = MemorySecretStore()
        try store.setValue("old", for: "k")
        let (begun, gate) = (TestGate(), TestGate())
        let renewing = Task {
            try await StoredValue(in: store, under: "k").renew("old") { value in
                begun.open()
                try await gate.pass()
                return next(value)
            }
        }
        try await begun.pass()

        renewing.cancel()
        gate.open()

        #expect(try await renewing.value == "old+")
        #expect(try store.value(for: "k") == "old+")
    }

    @Test func `a failed renewal leaves the value, and the next one may try`() async throws {
        let store = MemorySecretStore()
        let value = StoredValue(String.self, in: store, under: "k")
        try await value.save("old")

        await #expect(throws: URLError.self) { try await value.renew("old") { _ in throw URLError(.timedOut) } }

        #expect(try await value.current() == "old")
        #expect(try await value.renew("old") { next($0) } == "old+")
    }

    @Test func `without a value there is nothing to renew`() async throws {
        let value = StoredValue(String.self, in: MemorySecretStore(), under: "k")
        try await value.save("old")
        try await value.remove()

        await #expect(throws: SecretStoreError.nothingStored(key: "k")) { try await value.renew("old") { next($0) } }
        #expect(renewed.events.isEmpty)
    }

    @Test func `what cannot be written is used from memory, and what it replaced is not used again`() async throws {
        let store = StubbornStore()
        let failures = EventRecorder<Void>()
        let value = StoredValue(String.self, in: store, under: "k") { _ in failures.record(()) }
        try await value.save("old")
        store.isRefusing.withLock { $0 = true }

        #expect(try await value.renew("old") { next($0) } == "old+")
        #expect(try await value.renew("old+") { next($0) } == "old++")
        #expect(try await value.current() == "old++")
        #expect(failures.events.count == 2)
        store.isRefusing.withLock { $0 = false }
        #expect(try await value.renew("old++") { next($0) } == "old+++")

        #expect(renewed.events == ["old", "old+", "old++"])
        #expect(try store.value(for: "k") == "old+++")
    }

    @Test func `what could not be written gives way to what somebody else has written`() async throws {
        let store = StubbornStore()
        let value = StoredValue(String.self, in: store, under: "k")
        try await value.save("old")
        store.isRefusing.withLock { $0 = true }
        _ = try await value.renew("old") { next($0) }
        store.isRefusing.withLock { $0 = false }

        try store.setValue("signed in anew", for: "k")

        #expect(try await value.current() == "signed in anew")
        #expect("\(value)" == #"StoredValue("k" in StubbornStore)"#)
    }
}

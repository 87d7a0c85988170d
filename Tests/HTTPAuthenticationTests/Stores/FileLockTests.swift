// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import AuthenticationSuite
import Foundation
import HTTPTesting
import Testing

@testable import HTTPAuthentication

/// The lock between processes, with another process.
@Suite(.timeLimit(.minutes(1)))
struct FileLockTests {
    private let folder: SecretFolder

    init() throws { folder = try SecretFolder() }

    private var path: String { folder.path("secrets.json") }

    /// The path of the lock for the one key that was asked for.
    private func lock() throws -> FileLock {
        FileLock(path: folder.path(try #require(folder.names.first { $0.hasSuffix(".lock") })))
    }

    @Test func `a program that has exclusive access keeps another out until it ends it`() async throws {
        let holder = try StoreToolProcess("hold", path, "token")
        #expect(await holder.line() == "held")

        #expect(try lock().tryToAcquire() == nil)
        try await FileSecretStore(path: path).withExclusiveAccess(to: "another key") {}
        #expect(await holder.ending() == .init(output: "", isKilled: false, status: 0))

        #expect(try lock().tryToAcquire() != nil)
        try await FileSecretStore(path: path).withExclusiveAccess(to: "token") {}
    }

    @Test func `a program that dies with exclusive access lets the next one in`() async throws {
        let holder = try StoreToolProcess("hold", path, "token")
        #expect(await holder.line() == "held")
        let clock = TestClock()
        let store = FileSecretStore(path: path, lockTimeout: .seconds(60), clock: clock)
        let access = Task { try await store.exclusiveAccess(to: "token") }
        // It has tried, in vain.
        try await clock.waitForSleeper()

        holder.kill()
        #expect(await holder.ending().isKilled)
        clock.advance(by: .seconds(1))

        try await access.value.end()
    }

    @Test func `who waits too long for another program is told which lock it is`() async throws {
        let holder = try StoreToolProcess("hold", path, "token")
        #expect(await holder.line() == "held")
        let clock = TestClock()
        let store = FileSecretStore(path: path, lockTimeout: .seconds(60), clock: clock)
        let access = Task { try await store.exclusiveAccess(to: "token") }
        try await clock.waitForSleeper()

        clock.advance(by: .seconds(61))

        let error = await #expect(throws: SecretStoreError.self) { try await access.value }
        #expect(error?.label == "lockTimedOut")
        #expect(error?.localizedDescription.contains("\(try lock().path) for more than 60") == true)
        _ = await holder.ending()
    }

    @Test func `who is cancelled while another program has the lock stops waiting`() async throws {
        let holder = try StoreToolProcess("hold", path, "token")
        #expect(await holder.line() == "held")
        let store = FileSecretStore(path: path)
        let first = Task { try await store.exclusiveAccess(to: "token") }
        let second = Task { try await store.exclusiveAccess(to: "token") }

        first.cancel()
        second.cancel()

        await #expect(throws: CancellationError.self) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second.value }
        _ = await holder.ending()
        try await store.withExclusiveAccess(to: "token") {}
    }
}
#endif

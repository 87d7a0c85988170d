// SPDX-License-Identifier: MIT

import ExampleTerminal
import Moya
import Synchronization

/// The guide's last section: the session is refreshed before a request that would find it over.
enum SessionRefresh {
    static func run() async throws {
        Terminal.title("Session refresh, with the same server")
        try await bySubclass()
        try await byComposition()
        try await refused()
    }

    private static func bySubclass() async throws {
        let hours = Mutex(0.0)
        let login = Login(secret: Servers.clientSecret) { Date(timeIntervalSinceNow: hours.withLock { $0 } * 3600) }
        let provider = OnlineProvider<YourAPI>(login: login)

        try await inTurn("a provider subclass that overrides request", login, passing: { hours.withLock { $0 += 2 } }) {
            try await provider.request(.targetThatNeedsOAuth)
        }

        let status = await withCheckedContinuation { continuation in
            provider.request(.targetThatNeedsOAuth) { continuation.resume(returning: $0.map(\.statusCode)) }
        }
        try check(try status.get() == 200, "200 for the callback form, not \(try status.get())")
        Terminal.done("the same with a callback", "200")
    }

    private static func byComposition() async throws {
        let hours = Mutex(0.0)
        let login = Login(secret: Servers.clientSecret) { Date(timeIntervalSinceNow: hours.withLock { $0 } * 3600) }
        let networking = Networking<YourAPI>(login: login)

        try await inTurn("a type that has a provider", login, passing: { hours.withLock { $0 += 2 } }) {
            try await networking.request(.targetThatNeedsOAuth)
        }
    }

    private static func refused() async throws {
        let provider = OnlineProvider<YourAPI>(login: Login(secret: "not the secret"))
        do {
            _ = try await provider.request(.targetThatNeedsOAuth)
            throw StepFailure("expected no response where the log-in is refused")
        } catch MoyaError.statusCode(let response) {
            try check(response.statusCode == 401, "the log-in's 401, not \(response.statusCode)")
            Terminal.done("a log-in that is refused", "the request fails with the log-in's 401")
        }
    }

    /// Ten requests at once, twice; two hours go by in between, longer than a token lasts.
    private static func inTurn(
        _ name: String, _ login: Login, passing hours: () -> Void, _ request: @escaping @Sendable () async throws -> Response
    ) async throws {
        for round in 1...2 {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 { group.addTask { try await request().statusCode } }
                for try await status in group { try check(status == 200, "200 for each of ten requests, not \(status)") }
            }
            try check(login.count == round, "\(round) log-ins after round \(round), not \(login.count)")
            hours()
        }
        Terminal.done(name, "10 x 200 with one log-in, and two hours later 10 x 200 with another")
    }
}

// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import AuthenticationSuite
import Foundation
import HTTPSessions
import HTTPTesting
import Testing

/// Two programs that share a token in a file, against a server that rotates refresh tokens.
@Suite(.timeLimit(.minutes(1)))
struct TwoProgramsTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.path + "/inner/tokens.json"
        try FileSecretStore(path: path).setValue(RotatingToken(), for: "token")
    }

    @Test func `no refresh token is sent twice, and every request of both succeeds`() async throws {
        let arrival = TestGate()
        let tokens = try TokenServer(lifetime: .uses(20), arrival: arrival)
        let count = 300
        let programs = try ["one", "two"].map { name in
            try StoreToolProcess("request", path, "token", tokens.server.baseURL.absoluteString, "\(count)", name)
        }
        // Both are at work, on all the connections that each may open, before either is answered.
        try await arrival.waitForWaiters(12)
        arrival.open()

        for program in programs { #expect(await program.ending() == .init(output: "\(count)\n", isKilled: false, status: 0)) }

        let log = tokens.log
        #expect(log.accepted == 2 * count)
        #expect(tokens.reused.isEmpty)
        #expect(log.refreshTokens == (0..<log.refreshTokens.count).map { "refresh-\($0)" })
        #expect(log.refreshTokens.count >= 2 * count / 20 - 1)
        let last = try FileSecretStore(path: path).value(RotatingToken.self, for: "token")
        #expect(last?.refreshToken == "refresh-\(log.refreshTokens.count)")
    }

    @Test func `a program that dies in the middle of a refresh does not stop the other`() async throws {
        let gate = TestGate()
        let tokens = try TokenServer(isExpired: true, gate: gate)
        let url = tokens.server.baseURL.absoluteString
        let first = try StoreToolProcess("request", path, "token", url, "1", "one")
        // It has the lock, and its refresh token has not been redeemed: the server holds the answer to it back.
        try await gate.waitForWaiters()

        first.kill()
        #expect(await first.ending().isKilled)
        gate.open()
        let second = try StoreToolProcess("request", path, "token", url, "1", "two")
        let ending = await second.ending()

        // What the first had redeemed is lost with it: the second is told so, by the server, and does not hang.
        #expect(ending.output == "0\n")
        #expect(tokens.log.clients == ["one", "two"])
    }
}
#endif

// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

/// The memory that it watches is the process's: run it by itself, `--filter BurstTests`.
@Suite(.enabled(if: Stress.isEnabled, "runs where OPENMOYA_STRESS is set"), .timeLimit(.minutes(1)))
struct BurstTests {
    @Test func `ten thousand requests at once leave less than half of their memory behind`() async throws {
        let server = try TestServer(.init { $0.recordsRequests = false }) { .ok(String($0.path.dropFirst())) }
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        let provider = MoyaProvider<NumberTarget>(session: Session(configuration: configuration, startRequestsImmediately: false))
        _ = try await provider.request(NumberTarget(baseURL: server.baseURL, number: 0))

        let before = ProcessMemory.now.resident
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10_000 {
                group.addTask { _ = try await provider.request(NumberTarget(baseURL: server.baseURL, number: number)) }
            }
            try await group.waitForAll()
        }

        let peak = ProcessMemory.now.peak
        #expect(peak > before + 20_000)
        // The loop gives it back when it has had nothing to do for a moment.
        while ProcessMemory.now.resident > (before + peak) / 2 { await _Concurrency.Task.yield() }
        print("resident \(before) KiB before, \(peak) at most, \(ProcessMemory.now.resident) after")
    }
}
#endif

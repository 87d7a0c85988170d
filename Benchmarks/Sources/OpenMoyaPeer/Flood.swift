// SPDX-License-Identifier: MIT

import BenchmarkFrame
import HTTPMessages
import HTTPSessions
import Moya
import Synchronization

extension MoyaClient {
    /// Sends all requests at once over a few connections, and says how many threads and how much memory that took.
    @Sendable static func flood(_ arguments: Arguments) async throws {
        let requests = try arguments.count("requests")
        let connections = try arguments.count("connections")
        let target = try Document(arguments.text("url"))
        var configuration = TransportConfiguration()
        configuration.connectionsPerOrigin = connections
        // Waiting for a connection counts toward the idle limit.
        let setup = URLSessionConfiguration.af.default
        setup.timeoutIntervalForRequest = 300
        let provider = MoyaProvider<Document>(
            session: Session(transport: configuration, configuration: setup, startRequestsImmediately: false))
        let get = provider.get(target)
        let expected = Answer(status: 200, length: try await get().length)
        _ = await inFlight(connections, count: connections * 4, expecting: expected, get)

        let before = Footprint.residentKibibytes()
        let threads = Atomic<Int>(0)
        let completed = Atomic<Int>(0)
        await report(name, "flood", inFlight: requests, count: requests) {
            await inFlight(requests, count: requests, expecting: expected) {
                let answer = try await get()
                // Sampled about four times: one sample costs as much as many requests.
                if completed.add(1, ordering: .relaxed).newValue % max(1, requests / 4) == 0 {
                    threads.max(Footprint.threads(), ordering: .relaxed)
                }
                return answer
            }
        } also: {
            let grown = max(0, Footprint.peakKibibytes() - before)
            return "threads=\(threads.load(ordering: .relaxed)) each_kib=\(Double(grown) / Double(requests))"
        }
    }
}

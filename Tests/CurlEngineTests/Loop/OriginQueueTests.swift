// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages
import Testing

@testable import CurlEngine

struct OriginQueueTests {
    @Test func `a line that is never empty keeps its order, and does not grow with those that have left it`() throws {
        let loop = try #require(TransferLoop.assigned(for: .general))
        let multi = MultiHandle(loop: loop, settings: EngineSettings(TransportConfiguration()), counters: CurlEngineCounters())
        let url = try #require(URL(string: "http://localhost/"))
        let transfers = (0..<3).map { _ in
            Transfer(HTTPRequest(url: url), options: TransferOptions(), receiver: RecordingReceiver(), multi: multi)
        }
        let queue = OriginQueue(name: "http://localhost", limit: 1, trust: nil)
        for transfer in transfers {
            transfer.isInLine = true
            queue.join(transfer, priority: 0.5)
        }

        for count in 0..<2_000 {
            let next = try #require(queue.nextInLine())
            #expect(next === transfers[count % 3])
            queue.join(next, priority: 0.5)
        }

        #expect(queue.storedCount < 200)
    }

    @Test func `a server that no longer speaks HTTP 2 gets no more requests at a time than connections`() {
        let queue = OriginQueue(name: "https://localhost", limit: 2, trust: nil)
        queue.speaks(.http2)
        for _ in 0..<200 { #expect(queue.claimPlace()) }
        #expect(!queue.claimPlace())

        queue.speaks(.http1_1)
        for _ in 0..<198 { queue.releasePlace() }
        #expect(!queue.claimPlace())
        queue.releasePlace()
        #expect(queue.claimPlace())
    }
}
#endif

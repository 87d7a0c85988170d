// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import CurlEngine

/// Descriptors have small numbers that are given out again at once, and libcurl does not always say that it has closed one.
@Suite(.timeLimit(.minutes(1)))
struct ReusedDescriptorTests {
    @Test func `sockets of a transport that is gone are not taken for those of the next`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let closed = try TestServer { _ in .ok }
        let nowhere = closed.url("/")
        closed.close()
        // The resolver has descriptors of its own, which are likely to get the numbers of sockets that could not connect.
        let named = try #require(URL(string: "http://localhost:\(server.port)/"))

        for _ in 0..<50 {
            let failing = CurlTransport()
            for _ in 0..<3 { #expect(try await failing.get(nowhere).error?.kind == .connectFailed) }
            failing.shutDown(cancellingTransfers: true)

            let next = CurlTransport()
            #expect(try await next.get(named).text == "x")
            #expect(try await next.get(server.url("/")).text == "x")
            next.shutDown(cancellingTransfers: true)
        }
    }
}
#endif

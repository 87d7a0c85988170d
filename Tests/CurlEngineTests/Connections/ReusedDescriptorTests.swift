// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import Glibc
import HTTPMessages
import HTTPTesting
import Testing

@testable import CurlEngine

/// Descriptors have small numbers that are given out again at once, and libcurl does not always say that it has closed one.
@Suite(.timeLimit(.minutes(1)))
struct ReusedDescriptorTests {
    @Test func `sockets of a transport that is gone are not taken for those of the next`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let (silent, port) = try Self.portThatNobodyListensOn()
        defer { close(silent) }
        let nowhere = try #require(URL(string: "http://127.0.0.1:\(port)/"))
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

    /// Bound, so that nobody else gets the port meanwhile.
    private static func portThatNobodyListensOn() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
#endif

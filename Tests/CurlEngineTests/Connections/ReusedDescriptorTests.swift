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
    private let inbox = LoopInbox()

    @Test func `sockets of a transport that is gone are not taken for those of the next`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let unused = try UnusedPort()
        // The resolver has descriptors of its own, which are likely to get the numbers of sockets that could not connect.
        let named = try #require(URL(string: "http://localhost:\(server.port)/"))

        for _ in 0..<50 {
            let failing = CurlTransport()
            for _ in 0..<3 { #expect(try await failing.get(unused.url()).error?.kind == .connectFailed) }
            failing.shutDown(cancellingTransfers: true)

            let next = CurlTransport()
            #expect(try await next.get(named).text == "x")
            #expect(try await next.get(server.url("/")).text == "x")
            next.shutDown(cancellingTransfers: true)
        }
    }

    @Test func `an event of a socket that is closed is not taken for one of its successor`() throws {
        var poller = try makePoller()
        let multi = try makeMulti()
        let (first, other) = try Self.pair()
        poller.opened(first, for: multi)
        poller.watch(first, for: multi, reading: true, writing: false)
        close(other)
        #expect(poller.wait(milliseconds: 1000) == 1)

        // What libcurl does when it finds an idle connection closed, while events of the same turn are still to be told.
        poller.closed(first)
        let (next, nextOther) = try Self.pair(replacing: first)
        defer { [next, nextOther].forEach { close($0) } }
        poller.opened(next, for: multi)
        poller.watch(next, for: multi, reading: true, writing: false)

        #expect(poller.event(0) == nil)
        #expect(write(nextOther, "x", 1) == 1)
        #expect(poller.wait(milliseconds: 1000) == 1)
        #expect(poller.event(0)?.isReadable == true)
    }

    @Test func `a socket is watched even if libcurl did not say that it had closed the one before of that number`() throws {
        var poller = try makePoller()
        let multi = try makeMulti()
        let (first, other) = try Self.pair()
        defer { close(other) }
        poller.opened(first, for: multi)
        poller.watch(first, for: multi, reading: true, writing: false)
        let (next, nextOther) = try Self.pair(replacing: first)
        defer { [next, nextOther].forEach { close($0) } }

        // It asks for the same of the new one, and so tells nobody.
        poller.opened(next, for: multi)

        #expect(write(nextOther, "x", 1) == 1)
        #expect(poller.wait(milliseconds: 1000) == 1)
        #expect(poller.event(0)?.descriptor == next)
    }

    private func makePoller() throws -> SocketPoller {
        let inbox = try #require(inbox)
        return try #require(SocketPoller(wakeDescriptor: inbox.wakeDescriptor))
    }

    private func makeMulti() throws -> MultiHandle {
        let loop = try #require(TransferLoop.assigned(for: .general))
        return MultiHandle(loop: loop, settings: EngineSettings(TransportConfiguration()), counters: CurlEngineCounters())
    }

    private static func pair() throws -> (Int32, Int32) {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        return (pair[0], pair[1])
    }

    /// Two connected sockets, the first of which takes the number of an open one, which is closed: in one step, so that nobody else gets the number.
    private static func pair(replacing number: Int32) throws -> (Int32, Int32) {
        let (first, second) = try pair()
        try #require(dup2(first, number) == number)
        close(first)
        return (number, second)
    }
}
#endif

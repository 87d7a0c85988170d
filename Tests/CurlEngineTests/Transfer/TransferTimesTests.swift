// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages
import Testing

@testable import CurlEngine

struct TransferTimesTests {
    private let second: UInt64 = 1_000_000_000

    private func times(connect: Duration? = nil, idle: Duration? = nil, resource: Duration? = nil) -> TransferTimes {
        var times = TransferTimes(Timeouts(connect: connect, idle: idle, resource: resource))
        times.begin(at: 10 * second)
        return times
    }

    @Test func `without limits there is no deadline`() {
        #expect(times().next(idleTimeRuns: true) == nil)
        #expect(times().reached(idleTimeRuns: true, now: .max - 1) == nil)
    }

    @Test func `the nearest limit is the deadline`() {
        let times = times(idle: .seconds(5), resource: .seconds(3))
        #expect(times.next(idleTimeRuns: true) == 13 * second)
        #expect(times.reached(idleTimeRuns: true, now: 13 * second - 1) == nil)
        #expect(times.reached(idleTimeRuns: true, now: 13 * second) == .resource)
    }

    @Test func `the connect limit counts from when libcurl has it until the connection stands`() {
        var times = times(connect: .seconds(2))
        #expect(times.next(idleTimeRuns: true) == nil)
        times.connectBegan(at: 20 * second)
        #expect(times.reached(idleTimeRuns: true, now: 22 * second) == .connect)
        times.connectionStands()
        #expect(times.next(idleTimeRuns: true) == nil)
    }

    @Test func `activity moves the idle limit, and time that stands still does not count`() {
        var times = times(idle: .seconds(5))
        times.activity(at: 14 * second)
        #expect(times.next(idleTimeRuns: true) == 19 * second)
        #expect(times.next(idleTimeRuns: false) == nil)
        #expect(times.reached(idleTimeRuns: false, now: 100 * second) == nil)
    }

    @Test func `bytes that libcurl sent by itself are activity once`() {
        var times = times(idle: .seconds(5))
        times.note(bytesSent: 7, at: 13 * second)
        times.note(bytesSent: 7, at: 14 * second)
        #expect(times.next(idleTimeRuns: true) == 18 * second)
    }

    @Test func `limits beyond all measure do not overflow`() {
        #expect(times(idle: .seconds(Int64.max)).next(idleTimeRuns: true).map { $0 > 1_000_000 * second } == true)
        #expect(times(idle: .seconds(-1)).reached(idleTimeRuns: true, now: 10 * second) == .idle)
    }
}
#endif

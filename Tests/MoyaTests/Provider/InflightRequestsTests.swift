// SPDX-License-Identifier: MIT

import Testing

@testable import Moya

@Suite struct InflightRequestsTests {
    private typealias Table = InflightRequests<String, String>

    private final class Transfer: Cancellable, Sendable {
        let isCancelled = false
        func cancel() {}
    }

    private let transfer = Transfer()

    private func describe(_ departure: Table.Departure) -> String {
        switch departure {
        case .none: "none"
        case .leave(let waiter, let wasSent): "\(waiter) leaves\(wasSent ? " a sent request" : "")"
        case .cancelTransfer(let transfer): transfer as? Transfer === self.transfer ? "cancel the transfer" : "cancel another transfer"
        }
    }

    @Test func `equal requests join, others do not`() {
        var table = Table()

        let first = table.join("1", for: "a", transfer: transfer)
        let second = table.join("2", for: "a", transfer: transfer)
        let other = table.join("3", for: "b", transfer: transfer)

        #expect([first, second, other].map(\.isFirst) == [true, false, true])
        #expect(first.group == second.group)
        #expect(table.waitersByKey == ["a": ["1", "2"], "b": ["3"]])
        #expect(table.waiters(in: first.group) == ["1", "2"])
    }

    @Test func `an outcome is told to everybody in the order of arrival, and the key stays until all know`() {
        var table = Table()
        let first = table.join("1", for: "a", transfer: transfer)
        _ = table.join("2", for: "a", transfer: transfer)

        #expect(table.outcomeArrived(first.group) == ["1", "2"])
        #expect(table.outcomeArrived(first.group) == [])
        #expect(table.waitersByKey == ["a": ["1", "2"]])

        #expect(table.told(first.group) == nil)
        #expect(table.waitersByKey == ["a": ["1", "2"]])
        // To be let go of where no lock is held.
        #expect(table.told(first.group)?.members.map(\.waiter) == ["1", "2"])
        #expect(table.waitersByKey.isEmpty)
    }

    @Test func `a request made while an outcome is told begins anew`() {
        var table = Table()
        let first = table.join("1", for: "a", transfer: transfer)
        _ = table.outcomeArrived(first.group)

        let next = table.join("2", for: "a", transfer: transfer)

        #expect(next.isFirst)
        #expect(next.group != first.group)
        #expect(table.waitersByKey == ["a": ["1", "2"]])
        _ = table.told(first.group)
        #expect(table.waitersByKey == ["a": ["2"]])
        #expect(table.outcomeArrived(next.group) == ["2"])
    }

    @Test func `a member leaves, and the others go on`() {
        var table = Table()
        let first = table.join("1", for: "a", transfer: transfer)
        let second = table.join("2", for: "a", transfer: transfer)

        #expect(describe(table.cancelled(first)) == "1 leaves")
        #expect(describe(table.cancelled(first)) == "none")
        let third = table.join("3", for: "a", transfer: transfer)
        table.sendingBegan(first.group)
        #expect(describe(table.cancelled(third)) == "3 leaves a sent request")

        #expect(table.outcomeArrived(second.group) == ["2"])
    }

    @Test func `the last member cancels the transfer and takes its outcome; nobody joins any more`() {
        var table = Table()
        let first = table.join("1", for: "a", transfer: transfer)

        #expect(describe(table.cancelled(first)) == "cancel the transfer")
        let next = table.join("2", for: "a", transfer: transfer)

        #expect(next.isFirst)
        #expect(table.outcomeArrived(first.group) == ["1"])
        _ = table.told(first.group)
        #expect(table.waitersByKey == ["a": ["2"]])
        #expect(table.join("3", for: "a", transfer: transfer).group == next.group)
    }

    @Test func `nobody leaves once the outcome is known`() {
        var table = Table()
        let first = table.join("1", for: "a", transfer: transfer)
        _ = table.join("2", for: "a", transfer: transfer)
        _ = table.outcomeArrived(first.group)

        #expect(describe(table.cancelled(first)) == "none")
        #expect(table.waiters(in: first.group).isEmpty)
    }
}

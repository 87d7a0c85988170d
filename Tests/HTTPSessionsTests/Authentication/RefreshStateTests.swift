// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

@Suite struct RefreshStateTests {
    private let start = ContinuousClock.now
    private let calls = EventRecorder<String>()

    private func state(_ credential: String? = "old", maximumAttempts: Int = 2) -> RefreshState<String> {
        RefreshState(credential: credential, limit: RefreshLimit(interval: .seconds(30), maximumAttempts: maximumAttempts))
    }

    private func waiter(_ name: String) -> RefreshState<String>.Waiter {
        { [calls] result in
            switch result {
            case .success(let credential): calls.record("\(name): \(credential)")
            case .failure(let error): calls.record("\(name): \(error)")
            }
        }
    }

    /// What was decided, in a word; waiters that are to be called are.
    private func word(_ decision: RefreshState<String>.Decision) -> String {
        switch decision {
        case .wait: return "wait"
        case .refresh(let credential, let number): return "refresh \(credential) \(number)"
        case .call(let waiter, let result):
            waiter(result)
            return "call"
        }
    }

    @Test func `requests that are refused meanwhile wait for one refresh and are told in order`() {
        var state = state()

        #expect(word(state.requestWasRefused(version: 0, now: start, waiter: waiter("a"))) == "refresh old 1")
        #expect(word(state.requestWasRefused(version: 0, now: start, waiter: waiter("b"))) == "wait")
        #expect(word(state.requestArrived(requiresRefresh: false, version: 0, now: start, waiter: waiter("fresh"))) == "call")
        for waiter in state.refreshEnded(1, .success("new")) { waiter(.success("new")) }

        #expect(calls.events == ["fresh: old", "a: new", "b: new"])
        #expect(state.credential == "new")
    }

    @Test func `a credential that is about to expire holds fresh requests back`() {
        var state = state()

        #expect(word(state.requestArrived(requiresRefresh: true, version: 0, now: start, waiter: waiter("a"))) == "refresh old 1")
        #expect(word(state.requestArrived(requiresRefresh: false, version: 0, now: start, waiter: waiter("b"))) == "wait")
        #expect(state.refreshEnded(1, .success("new")).count == 2)
    }

    @Test func `a refusal that was looked at before a refresh ended begins no other`() {
        var state = state()
        _ = state.requestWasRefused(version: 0, now: start, waiter: waiter("a"))
        _ = state.refreshEnded(1, .success("new"))

        #expect(word(state.requestWasRefused(version: 0, now: start, waiter: waiter("late"))) == "call")
        #expect(word(state.requestArrived(requiresRefresh: true, version: 0, now: start, waiter: waiter("later"))) == "call")
        #expect(calls.events == ["late: new", "later: new"])
        #expect(word(state.requestWasRefused(version: state.version, now: start, waiter: waiter("b"))) == "refresh new 2")
    }

    @Test func `a failed refresh fails those that were refused, and a fresh request begins anew`() {
        var state = state()
        _ = state.requestWasRefused(version: 0, now: start, waiter: waiter("a"))
        _ = state.refreshEnded(1, .failure(AuthenticationError.excessiveRefresh))

        #expect(word(state.requestWasRefused(version: 0, now: start, waiter: waiter("b"))) == "call")
        #expect(word(state.requestArrived(requiresRefresh: false, version: 0, now: start, waiter: waiter("c"))) == "call")
        #expect(word(state.requestWasRefused(version: 0, now: start, waiter: waiter("d"))) == "refresh old 2")
        #expect(calls.events == ["b: excessiveRefresh", "c: old"])
    }

    @Test func `more refreshes than the window allows are refused until it has passed`() {
        var state = state()
        for number in 1...2 {
            _ = state.requestWasRefused(version: state.version, now: start, waiter: waiter("a"))
            _ = state.refreshEnded(number, .success("new"))
        }

        #expect(word(state.requestWasRefused(version: state.version, now: start + .seconds(30), waiter: waiter("b"))) == "call")
        #expect(calls.events == ["b: excessiveRefresh"])
        #expect(word(state.requestWasRefused(version: state.version, now: start + .seconds(31), waiter: waiter("c"))) == "refresh new 3")
    }

    @Test func `the second end of a refresh is none, and nothing is signed without a credential`() {
        var state = state()
        _ = state.requestWasRefused(version: 0, now: start, waiter: waiter("a"))

        #expect(state.refreshEnded(1, .success("new")).count == 1)
        #expect(state.refreshEnded(1, .success("newer")).isEmpty)
        #expect(state.credential == "new")
        state.set(nil)
        #expect(word(state.requestArrived(requiresRefresh: false, version: state.version, now: start, waiter: waiter("b"))) == "call")
        #expect(calls.events == ["b: missingCredential"])
    }
}

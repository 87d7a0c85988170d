// SPDX-License-Identifier: MIT

import Testing

@testable import Moya

@Suite struct RequestLifecycleTests {
    private final class Transfer: Cancellable, Sendable {
        let isCancelled = false
        func cancel() {}
    }

    private let transfer = Transfer()

    @Test func `a request is answered once`() {
        var lifecycle = RequestLifecycle()

        #expect(lifecycle.requestArrived() == .proceed)
        #expect(lifecycle.requestArrived() == .ignore)
        #expect(lifecycle.started(transfer) as? Transfer === nil)
        #expect(lifecycle.requestArrived() == .ignore)
    }

    @Test func `cancelling before the answer is reported with the answer`() {
        var lifecycle = RequestLifecycle()

        #expect(lifecycle.cancelled() as? Transfer === nil)
        #expect(lifecycle.isCancelled)
        #expect(lifecycle.requestArrived() == .reportCancellation)
        #expect(lifecycle.requestArrived() == .ignore)
    }

    @Test func `cancelling while the transfer is made cancels it as soon as it is there`() {
        var lifecycle = RequestLifecycle()

        _ = lifecycle.requestArrived()
        #expect(lifecycle.cancelled() as? Transfer === nil)

        #expect(lifecycle.started(transfer) as? Transfer === transfer)
    }

    @Test func `cancelling in flight cancels the transfer once`() {
        var lifecycle = RequestLifecycle()

        _ = lifecycle.requestArrived()
        _ = lifecycle.started(transfer)

        #expect(lifecycle.cancelled() as? Transfer === transfer)
        #expect(lifecycle.cancelled() as? Transfer === nil)
    }

    @Test func `nothing is left to cancel after the end, which comes once`() {
        var lifecycle = RequestLifecycle()

        _ = lifecycle.requestArrived()
        _ = lifecycle.started(transfer)

        let ends = [lifecycle.ended(), lifecycle.ended()]

        #expect(ends == [true, false])
        #expect(lifecycle.cancelled() as? Transfer === nil)
        #expect(lifecycle.isCancelled)
    }

    @Test func `an outcome that comes before the transfer is known lets it go`() {
        var lifecycle = RequestLifecycle()

        _ = lifecycle.requestArrived()
        _ = lifecycle.ended()

        #expect(lifecycle.started(transfer) as? Transfer === nil)
        #expect(lifecycle.cancelled() as? Transfer === nil)
    }
}

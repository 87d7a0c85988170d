// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DisposableTests {
    @Test func `an action runs once, whichever of eight threads is first`() {
        let runs = Atomic(0)
        let disposable = AnyDisposable { runs.modify { $0 += 1 } }

        onThreads(8) { _ in disposable.dispose() }

        #expect(runs.value == 1)
        #expect(disposable.isDisposed)
    }

    @Test func `a composite disposes of its members in order, and of late ones at once`() {
        let seen = Recorded<String>()
        let composite = CompositeDisposable()
        composite += { seen.add("one") }
        let removed = composite.add { seen.add("removed") }
        composite += AnyDisposable { seen.add("two") }
        removed?.dispose()

        composite.dispose()
        #expect(composite.add { seen.add("late") } == nil)

        #expect(seen.all == ["one", "two", "late"])
        #expect(composite.add(nil as (any Disposable)?) == nil)
    }

    @Test func `a serial one disposes of what is replaced, and of everything after its own end`() {
        let (first, second, third) = (AnyDisposable(), AnyDisposable(), AnyDisposable())
        let serial = SerialDisposable(first)

        serial.inner = second
        #expect(first.isDisposed && !second.isDisposed)
        serial.dispose()
        #expect(second.isDisposed && serial.inner == nil)
        serial.inner = third

        #expect(third.isDisposed)
    }

    @Test func `a scoped one disposes when it is released`() {
        let inner: any Disposable = AnyDisposable()
        var scoped: ScopedDisposable<AnyDisposable>? = ScopedDisposable(inner)
        #expect(scoped?.isDisposed == false)

        scoped = nil

        #expect(inner.isDisposed)
    }

    @Test func `a lifetime ends with its token, even if it is retained`() {
        var token: Lifetime.Token? = Lifetime.Token()
        let lifetime = token.map { Lifetime($0) }
        let seen = Recorded<String>()
        lifetime?.observeEnded { seen.add("ended") }
        lifetime?.ended.observeCompleted { seen.add("completed") }
        #expect(lifetime?.hasEnded == false)

        token = nil

        #expect(seen.all == ["ended", "completed"])
        #expect(lifetime?.hasEnded == true && token == nil)
        #expect(Lifetime.empty.observeEnded { seen.add("at once") } == nil)
        #expect(seen.all.last == "at once")
    }
}

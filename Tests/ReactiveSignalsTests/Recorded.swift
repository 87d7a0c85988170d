// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals

/// What callbacks from any thread have added.
final class Recorded<Element>: @unchecked Sendable {  // the elements are touched only under the lock
    private let lock = NSLock()
    private var elements: [Element] = []

    func add(_ element: Element) { lock.withLock { elements.append(element) } }

    var all: [Element] { lock.withLock { elements } }
}

struct TestError: Error, Equatable {
    let number: Int
    init(_ number: Int = 0) { self.number = number }
}

typealias IntSignal = Signal<Int, TestError>
typealias IntProducer = SignalProducer<Int, TestError>

extension SignalProducer {
    /// Starts, and records the descriptions of all events.
    func recorded() -> (events: Recorded<String>, handle: any Disposable) {
        let events = Recorded<String>()
        let handle = start { events.add("\($0)") }
        return (events, handle)
    }

    /// The descriptions of all events of a start that ends by itself.
    var descriptions: [String] { recorded().events.all }
}

extension Signal {
    func recorded() -> Recorded<String> {
        let events = Recorded<String>()
        observe { events.add("\($0)") }
        return events
    }
}

/// Runs `work` on threads of its own, as many as `count`, and returns when all are done.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
        let thread = Thread {
            work(number)
            group.leave()
        }
        group.enter()
        thread.start()
    }
    group.wait()
}

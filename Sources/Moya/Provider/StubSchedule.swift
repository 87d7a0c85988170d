// SPDX-License-Identifier: MIT

import Foundation

/// When and where a stub answers.
struct StubSchedule: Sendable {
    private let delivery: Delivery
    private let delay: TimeInterval?

    /// Nil for ``StubBehavior/never``.
    init?(_ behavior: StubBehavior, on queue: DispatchQueue?) {
        switch behavior {
        case .never: return nil
        case .immediate: delay = nil
        case .delayed(let seconds):
            // Bounded: a dispatch time cannot be made of every number.
            delay = seconds.isNaN ? 0 : min(max(seconds, 0), 1e9)
        }
        guard let queue, delay != nil else {
            delivery = Delivery(on: queue, for: behavior, keepsOrder: false)
            return
        }
        delivery = .queue(queue)
    }

    func run(_ answer: @escaping () -> Void) {
        guard let delay else { return delivery.perform(answer) }
        let queue = if case .queue(let queue) = delivery { queue } else { DispatchQueue.main }
        let answer = Carried(answer)
        queue.asyncAfter(deadline: .now() + delay) { answer.value() }
    }
}

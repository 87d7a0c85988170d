// SPDX-License-Identifier: MIT

import Foundation

/// Tells the queues that an initialiser made for itself from those that a caller passed: only a caller's queue is hopped to.
enum QueueMark {
    private static let key = DispatchSpecificKey<Bool>()

    static func makeOwn(_ label: String) -> DispatchQueue {
        let queue = DispatchQueue(label: label)
        queue.setSpecific(key: key, value: true)
        return queue
    }

    static func isOwn(_ queue: DispatchQueue) -> Bool {
        queue.getSpecific(key: key) == true
    }
}

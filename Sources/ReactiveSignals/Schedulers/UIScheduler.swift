// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Runs actions on the main queue; at once if it is there already and nothing scheduled before is pending.
public final class UIScheduler: Scheduler {
    private static let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private let pending = Synchronization.Atomic<Int>(0)

    /// A scheduler with an order of its own.
    public init() {
        _ = UIScheduler.mainQueueKey
    }

    /// Runs `action` at once on the main queue, or there after what was scheduled before it.
    /// - Returns: what takes the action back; nil if it ran at once.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let before = pending.add(1, ordering: .acquiringAndReleasing).oldValue
        let isOnMainQueue = Thread.isMainThread || DispatchQueue.getSpecific(key: UIScheduler.mainQueueKey) == true
        if before == 0, isOnMainQueue {
            action()
            pending.subtract(1, ordering: .acquiringAndReleasing)
            return nil
        }
        let disposable = AnyDisposable()
        DispatchQueue.main.async {
            if !disposable.isDisposed { action() }
            self.pending.subtract(1, ordering: .acquiringAndReleasing)
        }
        return disposable
    }
}

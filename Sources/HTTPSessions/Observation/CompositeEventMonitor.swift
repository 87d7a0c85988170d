// SPDX-License-Identifier: MIT

import Foundation

/// Several monitors as one: each event reaches every one of them, on its own queue.
public final class CompositeEventMonitor: EventMonitor {
    /// The monitors, in the order in which they are told.
    public let monitors: [any EventMonitor]

    /// Monitors that are told of the same events.
    public init(monitors: [any EventMonitor]) { self.monitors = monitors }

    /// Calls `event` on the monitor's queue, or for a composite one on the queue of each of its parts.
    static func deliver(_ event: @escaping @Sendable (any EventMonitor) -> Void, to monitor: any EventMonitor) {
        guard let composite = monitor as? CompositeEventMonitor else {
            return monitor.queue.async { event(monitor) }
        }
        for part in composite.monitors {
            deliver(event, to: part)
        }
    }
}

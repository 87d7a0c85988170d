// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// How far a request has come, and who wants to know. Part of its request's state, under the same lock; a class, since most requests that a
/// provider makes have none.
final class ProgressState {
    enum Direction: Sendable {
        case up, down
    }

    struct Handler: Sendable {
        let direction: Direction
        /// `nil` calls on the engine's thread.
        let queue: DispatchQueue?
        let handler: Request.ProgressHandler
    }

    /// What was last reported.
    private(set) var latest = TransferProgress()
    /// Made for those who ask for them.
    private var upload: Progress?
    private var download: Progress?
    private(set) var handlers: [Handler] = []

    func add(_ handler: Handler) { handlers.append(handler) }
    /// They may hold the request, and are to be let go of where no lock is held.
    func takeHandlers() -> [Handler] { handlers.takeAll() }

    /// The object that callers watch; a retry gets a new one, since Foundation's on Linux traps when a total goes back to 0.
    func object(_ direction: Direction) -> Progress {
        if let object = direction == .up ? upload : download { return object }
        let object = snapshot(direction).progress
        if direction == .up { upload = object } else { download = object }
        return object
    }

    func reset() {
        latest = TransferProgress()
        upload = nil
        download = nil
    }

    /// Takes note, and returns what has to be called; call it without the lock, in the order of the updates.
    func update(_ progress: TransferProgress) -> [@Sendable () -> Void] {
        let last = latest
        latest = progress
        var calls: [@Sendable () -> Void] = []
        for direction in [Direction.up, .down] where Self.counts(progress, direction) != Self.counts(last, direction) {
            let snapshot = snapshot(direction)
            if let object = direction == .up ? upload : download { calls.append { snapshot.write(to: object) } }
            guard Self.counts(progress, direction).count != Self.counts(last, direction).count else { continue }
            for handler in handlers where handler.direction == direction {
                if let queue = handler.queue {
                    calls.append { queue.async { handler.handler(snapshot.progress) } }
                } else {
                    calls.append { handler.handler(snapshot.progress) }
                }
            }
        }
        return calls
    }

    /// A progress object of its own, which later updates do not change.
    func snapshot(_ direction: Direction) -> ProgressSnapshot {
        let (count, total) = Self.counts(latest, direction)
        return ProgressSnapshot(count: count, total: total)
    }

    private static func counts(_ progress: TransferProgress, _ direction: Direction) -> (count: Int64, total: Int64) {
        switch direction {
        case .up: (progress.bytesSent, progress.bytesToSend ?? -1)
        case .down: (progress.bytesReceived, progress.bytesToReceive ?? -1)
        }
    }
}

/// A state of progress that does not change.
package struct ProgressSnapshot: Sendable {
    package let count: Int64
    /// -1 if unknown.
    package let total: Int64

    /// Foundation's form; a new object at each call.
    package var progress: Progress {
        let progress = Progress(totalUnitCount: total)
        progress.completedUnitCount = count
        return progress
    }

    /// Brings `object` to this state. A total that was positive never becomes 0: Foundation's on Linux traps then.
    func write(to object: Progress) {
        if object.totalUnitCount != total, total > 0 || object.totalUnitCount <= 0 { object.totalUnitCount = total }
        object.completedUnitCount = count
    }
}

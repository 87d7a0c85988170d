// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// How far a request has come, and who wants to know.
struct ProgressState {
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
    /// Made when somebody first asks.
    private var upload: Progress?
    private var download: Progress?
    private(set) var handlers: [Handler] = []

    mutating func add(_ handler: Handler) { handlers.append(handler) }

    /// The object that callers watch; a retry gets a new one, since Foundation's on Linux traps when a total goes back to 0.
    mutating func object(_ direction: Direction) -> Progress {
        let object = (direction == .up ? upload : download) ?? snapshot(direction).progress
        if direction == .up { upload = object } else { download = object }
        return object
    }

    mutating func reset() {
        latest = TransferProgress()
        upload = nil
        download = nil
    }

    /// Takes note, and returns what has to be called; call it without the lock.
    mutating func update(_ progress: TransferProgress) -> [@Sendable () -> Void] {
        var directions: [Direction] = []
        if progress.bytesSent != latest.bytesSent { directions.append(.up) }
        if progress.bytesReceived != latest.bytesReceived { directions.append(.down) }
        latest = progress
        for direction in directions {
            guard let object = direction == .up ? upload : download else { continue }
            let (count, total) = Self.counts(progress, direction)
            if object.totalUnitCount != total { object.totalUnitCount = total }
            object.completedUnitCount = count
        }
        return handlers.compactMap { handler in
            guard directions.contains(where: { $0 == handler.direction }) else { return nil }
            let snapshot = snapshot(handler.direction)
            guard let queue = handler.queue else { return { handler.handler(snapshot.progress) } }
            return { queue.async { handler.handler(snapshot.progress) } }
        }
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
}

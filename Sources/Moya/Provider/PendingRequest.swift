// SPDX-License-Identifier: MIT

import HTTPMessages

/// What the caller of `request` gets: cancels the request wherever it is. Holds nothing of it once it has ended.
final class PendingRequest: Cancellable, CustomDebugStringConvertible, CustomReflectable, Sendable {
    private let lifecycle = InlineLocked(RequestLifecycle())

    var isCancelled: Bool { lifecycle.withLock { $0.isCancelled } }

    func cancel() {
        lifecycle.withLock { $0.cancelled() }?.cancel()
    }

    func requestArrived() -> RequestLifecycle.Answer {
        lifecycle.withLock { $0.requestArrived() }
    }

    func started(_ transfer: any Cancellable) {
        lifecycle.withLock { $0.started(transfer) }?.cancel()
    }

    /// Whether this is the first end.
    func ended() -> Bool {
        let (isFirst, transfer) = lifecycle.withLock { ($0.ended(), Carried($0.letGo())) }
        withExtendedLifetime(transfer) {}
        return isFirst
    }

    /// Without children: what leads to the request may hold secrets.
    var customMirror: Mirror { Mirror(self, children: []) }

    /// The request that is under way as a `curl` command in which secrets are redacted.
    var debugDescription: String {
        let transfer = lifecycle.withLock { $0.transfer } as? any CustomDebugStringConvertible
        return transfer?.debugDescription ?? "(no request)"
    }
}

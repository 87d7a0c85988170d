// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import Glibc
import HTTPMessages

/// What other threads ask of the loop.
enum LoopCommand {
    case start(Transfer)
    case cancel(Transfer)
    /// To do what was asked of it since: suspending, resuming, demands for content.
    case steer(Transfer)
    case decide(Transfer, ContentDisposition)
    /// A chunk of the body, made for the `attempt`th time that the body is sent.
    case bodyChunk(Transfer, attempt: Int, Result<Data?, any Error>)
    case close(MultiHandle, cancellingTransfers: Bool)
    case retire(MultiHandle)
}

/// The way into the loop from any thread: commands in order, and an eventfd that is written only while the loop sleeps.
///
/// The eventfd is watched edge-triggered, so that nobody has to read it back.
///
/// The way back is for ended transfers: memory that one thread allocates and another frees costs both of them waiting for each other, so
/// whoever starts a transfer also lets go of one or two that have ended. They hold nothing of their callers' any more. What nobody
/// fetches the loop lets go of, after a millisecond without events or, if there is none, some milliseconds.
final class LoopInbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var ended: [Transfer] = []
        /// How many of them, the first ones, were there when the loop last looked.
        var untouchedCount = 0
        var isLoopAsleep = false
    }

    /// More than these the loop keeps for nobody.
    private static let mostEnded = 64

    private let state: Locked<State>
    /// An event after each wake-up.
    let wakeDescriptor: Int32

    /// `nil` if the system has no descriptor left.
    init?() {
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeDescriptor >= 0 else { return nil }
        state = Locked(State())
    }

    deinit { close(wakeDescriptor) }

    func post(_ command: LoopCommand) {
        let (wakes, ended) = state.withLock { state in
            state.commands.append(command)
            defer { state.isLoopAsleep = false }
            guard case .start = command else { return (state.isLoopAsleep, (Transfer?.none, Transfer?.none)) }
            let ended = (state.ended.popLast(), state.ended.popLast())
            state.untouchedCount = min(state.untouchedCount, state.ended.count)
            return (state.isLoopAsleep, ended)
        }
        if wakes { eventfd_write(wakeDescriptor, 1) }
        withExtendedLifetime(ended) {}
    }

    /// Takes over transfers that have ended, for other threads to let go of; some are left if there are too many.
    func leave(_ ended: inout [Transfer]) {
        state.withLock { state in
            while state.ended.count < Self.mostEnded, let transfer = ended.popLast() { state.ended.append(transfer) }
        }
    }

    /// Moves what is waiting into `commands`, which must be empty, and marks the loop as awake.
    func take(into commands: inout [LoopCommand]) {
        state.withLock { state in
            swap(&state.commands, &commands)
            state.isLoopAsleep = false
        }
    }

    /// Whether commands wait to be taken.
    var hasCommands: Bool { state.withLock { !$0.commands.isEmpty } }

    /// Moves the ended transfers that nobody fetched into `ended`, which must be empty.
    func takeBack(_ ended: inout [Transfer]) {
        state.withLock { state in
            swap(&state.ended, &ended)
            state.untouchedCount = 0
        }
    }

    /// Moves those that were there at the call before, too, into `ended`, which must be empty.
    /// - Returns: whether others are left.
    func takeBackUntouched(_ ended: inout [Transfer]) -> Bool {
        state.withLock { state in
            ended.append(contentsOf: state.ended[..<state.untouchedCount])
            state.ended.removeFirst(state.untouchedCount)
            state.untouchedCount = state.ended.count
            return !state.ended.isEmpty
        }
    }

    enum Rest {
        /// Commands are waiting.
        case none
        /// A nap, after which the loop lets go of the ended transfers if they are still there.
        case nap
        case sleep
    }

    /// How long the loop may sleep: if nothing is waiting, the next command will wake it.
    func loopMayRest() -> Rest {
        state.withLock { state in
            state.isLoopAsleep = state.commands.isEmpty
            guard state.isLoopAsleep else { return .none }
            return state.ended.isEmpty ? .sleep : .nap
        }
    }
}
#endif

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
    case suspend(Transfer)
    case resume(Transfer)
    case decide(Transfer, ContentDisposition)
    case requestMoreContent(Transfer)
    /// A chunk of the body, made for the `attempt`th time that the body is sent.
    case bodyChunk(Transfer, attempt: Int, Result<Data?, any Error>)
    case close(MultiHandle, cancellingTransfers: Bool)
}

/// The way into the loop from any thread: commands in order, and an eventfd that is written only while the loop sleeps.
///
/// The eventfd is watched edge-triggered, so that nobody has to read it back.
final class LoopInbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var isLoopAsleep = false
    }

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
        let wakes = state.withLock { state in
            state.commands.append(command)
            defer { state.isLoopAsleep = false }
            return state.isLoopAsleep
        }
        if wakes { eventfd_write(wakeDescriptor, 1) }
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

    /// Whether the loop may sleep: if nothing is waiting, the next command will wake it.
    func loopMayFallAsleep() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.commands.isEmpty
            return state.isLoopAsleep
        }
    }
}
#endif

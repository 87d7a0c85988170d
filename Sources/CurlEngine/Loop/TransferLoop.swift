// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import Glibc
import HTTPMessages

/// A thread that calls libcurl: it waits for sockets, timers and commands, and tells the receivers what happened.
///
/// Loops belong to the process and never end; each ``MultiHandle`` is on one.
final class TransferLoop: @unchecked Sendable {  // all but the constants is touched on the loop's own thread only
    enum Purpose: Hashable {
        case general
        /// Transfers with Negotiate: the system's Kerberos library asks the key distribution center within libcurl's call, and whoever
        /// shares the thread waits for the answer.
        case tickets

        /// Of at most 15 characters.
        var threadName: String {
            switch self {
            case .general: "openmoya-loop"
            case .tickets: "openmoya-ticket"
            }
        }
    }

    /// With so few transfers under way, what counts is how soon each goes on; with more, that nobody is kept from work.
    private static let fewTransfers = 2
    /// So many transfers at a time use several MiB.
    private static let burst = 1024
    /// Nanoseconds.
    private static let shortPoll: UInt64 = 20_000
    /// Nanoseconds between two looks at whether somebody fetches the transfers that have ended.
    private static let lookInterval: UInt64 = 5_000_000
    private static let all = Locked<[Purpose: TransferLoop]>([:])

    /// The process's loop for a purpose, made when the first one asks; `nil` if the system has no descriptor or thread left for it.
    static func assigned(for purpose: Purpose) -> TransferLoop? {
        all.withLock { loops in
            if let loop = loops[purpose] { return loop }
            let loop = TransferLoop(purpose)
            loops[purpose] = loop
            return loop
        }
    }

    // Any thread.
    private let purpose: Purpose
    private let inbox: LoopInbox

    // Loop thread only.
    /// Nanoseconds of the monotonic clock, as of the last time the loop woke up.
    private(set) var now: UInt64 = 0
    private(set) var deadlines = DeadlineQueue()
    private var poller: SocketPoller
    private var transfers = SlotTable<Transfer>()
    private var multis = SlotTable<MultiHandle>()
    private var multiTimers = DeadlineQueue()
    /// The slots of the multi handles whose timers have come, while they are run.
    private var due: [Int] = []
    /// The multi handles that may have finished transfers.
    private var active: [MultiHandle] = []
    private var commands: [LoopCommand] = []
    /// Transfers that were suspended before they had begun, by the commands of this turn.
    private var leaving: [Transfer] = []
    /// Transfers that commands of this turn have suspended, resumed or fed.
    private var pausing: [Transfer] = []
    /// The transfers that have ended since the loop last waited.
    private var ended: [Transfer] = []
    /// Whether transfers that have ended were left to others, who may not have fetched them.
    private var hasLeftEnded = false
    /// When it last looked at whether somebody does.
    private var lastLook: UInt64 = 0
    /// The most transfers at a time since memory was last given back.
    private var mostTransfers = 0
    private var responsesFollow = BusyPoll()
    private var commandsFollow = BusyPoll()
    private var thread = pthread_t()

    private init?(_ purpose: Purpose) {
        self.purpose = purpose
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let inbox = LoopInbox() else { return nil }
        guard let poller = SocketPoller(wakeDescriptor: inbox.wakeDescriptor) else { return nil }
        self.inbox = inbox
        self.poller = poller
        var started = pthread_t()
        let argument = Unmanaged.passRetained(self)
        let failure = pthread_create(
            &started, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<TransferLoop>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard failure == 0 else {
            argument.release()
            return nil
        }
        pthread_detach(started)
    }

    /// Hands a command over, from any thread.
    func post(_ command: LoopCommand) { inbox.post(command) }

    func assertOnLoop() {
        assert(pthread_equal(pthread_self(), thread) != 0, "libcurl and its transfers belong to the loop's thread")
    }

    // MARK: The thread

    private func run() {
        thread = pthread_self()
        ccurl_name_this_thread(purpose.threadName)
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
        now = Self.monotonicTime()
        switch purpose {
        case .general:
            while true { work(on: waitForEvents()) }
        case .tickets:
            ProcessExit.waitsForThisThread()
            while true {
                let ready = waitForEvents()
                ProcessExit.working { work(on: ready) }
            }
        }
    }

    private func work(on ready: Int) {
        now = Self.monotonicTime()
        inbox.take(into: &commands)
        for command in commands { execute(command) }
        commands.removeAll(keepingCapacity: true)
        while let transfer = leaving.popLast() { transfer.leaveIfSuspended() }
        while let transfer = pausing.popLast() { transfer.applyPauses() }
        for index in 0..<ready {
            guard let event = poller.event(index) else { continue }
            event.multi.socketIsReady(event)
            activate(event.multi)
        }
        runTimers()
        let endedBefore = ended.count
        collectFinished()
        if ended.count > endedBefore {
            // What was waiting for the finished transfers' connections begins at once.
            runTimers()
            collectFinished()
        }
        endOverdueTransfers()
    }

    /// Waits until something happens: events of sockets, whose number is returned, commands, or a limit in time.
    private func waitForEvents() -> Int {
        let transfersHaveEnded = !ended.isEmpty
        if hasLeftEnded, now - lastLook >= Self.lookInterval { letGoOfUntouched() }
        if transfersHaveEnded {
            inbox.leave(&ended)
            hasLeftEnded = true
            ended.removeAll(keepingCapacity: true)
        }
        let timeToWait = timeToWait()
        guard timeToWait != 0 else { return poller.wait(milliseconds: 0) }
        let start = Self.monotonicTime()
        let ready =
            switch transfers.count {
            case 0: wait(timeToWait, polling: transfersHaveEnded && commandsFollow.pays ? BusyPoll.longest : 0)
            case 1...Self.fewTransfers: wait(timeToWait, polling: responsesFollow.pays ? BusyPoll.longest : 0)
            default: wait(timeToWait, polling: transfersHaveEnded ? Self.shortPoll : 0)
            }
        let waited = Self.monotonicTime() - start
        switch transfers.count {
        case 0: if transfersHaveEnded { commandsFollow.waited(waited) }
        case 1...Self.fewTransfers: responsesFollow.waited(waited)
        default: break
        }
        return ready
    }

    /// Polls for so many nanoseconds, then sleeps.
    private func wait(_ timeToWait: Int32, polling: UInt64) -> Int {
        if polling > 0 {
            let end = Self.monotonicTime() + polling
            repeat {
                let ready = poller.wait(milliseconds: 0)
                if ready > 0 || inbox.hasCommands { return ready }
                sched_yield()
            } while Self.monotonicTime() < end
        }
        switch inbox.loopMayRest() {
        case .none: return poller.wait(milliseconds: 0)
        case .sleep: return poller.wait(milliseconds: timeToWait)
        case .nap:
            let ready = poller.wait(milliseconds: 1)
            if ready == 0 {
                inbox.takeBack(&ended)
                hasLeftEnded = false
                ended.removeAll(keepingCapacity: true)
                if transfers.count == 0 { giveMemoryBack() }
            }
            return ready
        }
    }

    /// Gives the system back what a burst has left free: glibc keeps it otherwise, as long as anything behind it is in use. It takes some
    /// milliseconds, in which nothing is under way.
    private func giveMemoryBack() {
        if mostTransfers >= Self.burst { ccurl_give_memory_back() }
        mostTransfers = 0
    }

    /// Lets go of what nobody has fetched since the last look.
    private func letGoOfUntouched() {
        lastLook = now
        var untouched: [Transfer] = []
        hasLeftEnded = inbox.takeBackUntouched(&untouched)
        withExtendedLifetime(untouched) {}
    }

    private func execute(_ command: LoopCommand) {
        switch command {
        case .start(let transfer): transfer.begin()
        case .cancel(let transfer): transfer.performCancel()
        case .steer(let transfer): transfer.performWishes()
        case .decide(let transfer, let disposition): transfer.performDecision(disposition)
        case .bodyChunk(let transfer, let attempt, let result): transfer.bodyChunkArrived(result, attempt: attempt)
        case .retire(let multi): multi.retire()
        case .close(let multi, let cancellingTransfers):
            multi.close()
            guard cancellingTransfers else { return }
            for transfer in transfers.all where transfer.multi === multi { transfer.performCancel() }
        }
    }

    /// Calls libcurl where its time has come, once each: a transfer that has always more to read wants to be called again at once, and
    /// sockets and commands have their turn before.
    private func runTimers() {
        while let slot = multiTimers.popDue(now) { due.append(slot) }
        for slot in due {
            guard let multi = multis[slot] else { continue }
            multi.timerIsDue()
            activate(multi)
        }
        due.removeAll(keepingCapacity: true)
    }

    private func collectFinished() {
        while let multi = active.popLast() {
            multi.isActive = false
            multi.collectFinished()
        }
    }

    private func endOverdueTransfers() {
        while let slot = deadlines.popDue(now) { transfers[slot]?.deadlineIsDue() }
    }

    private func activate(_ multi: MultiHandle) {
        guard !multi.isActive else { return }
        multi.isActive = true
        active.append(multi)
    }

    private func timeToWait() -> Int32 {
        let earliest = min(deadlines.earliest ?? .max, multiTimers.earliest ?? .max)
        guard earliest != .max else { return -1 }
        guard earliest > now else { return 0 }
        return Int32(clamping: (earliest - now + 999_999) / 1_000_000)
    }

    private static func monotonicTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: For transfers and multi handles

    /// Has the transfer give its turn back when all commands of this turn are carried out, if it is still suspended then.
    func leaveLater(_ transfer: Transfer) { leaving.append(transfer) }

    /// Has the transfer tell libcurl which directions stand still when all commands of this turn are carried out.
    func updatePausesLater(_ transfer: Transfer) { pausing.append(transfer) }

    func add(_ transfer: Transfer) -> Int {
        mostTransfers = max(mostTransfers, transfers.count + 1)
        return transfers.insert(transfer)
    }

    func remove(_ transfer: Transfer, _ slot: Int) {
        ended.append(transfer)
        deadlines.remove(slot)
        transfers.remove(slot)
    }

    func setDeadline(_ time: UInt64?, for slot: Int) {
        if let time { deadlines.set(DeadlineQueue.rounded(time, from: now), for: slot) } else { deadlines.remove(slot) }
    }

    func add(_ multi: MultiHandle) -> Int { multis.insert(multi) }

    func removeMulti(_ multi: MultiHandle, _ slot: Int) {
        poller.forget(multi)
        multiTimers.remove(slot)
        multis.remove(slot)
    }

    /// Sets when libcurl wants to be called; `nil` for never.
    func setTimer(_ milliseconds: Int?, for slot: Int) {
        if let milliseconds { multiTimers.set(now + UInt64(milliseconds) * 1_000_000, for: slot) } else { multiTimers.remove(slot) }
    }

    func watch(_ descriptor: Int32, for multi: MultiHandle, reading: Bool, writing: Bool) {
        poller.watch(descriptor, for: multi, reading: reading, writing: writing)
    }

    func socketWasOpened(_ descriptor: Int32, for multi: MultiHandle) { poller.opened(descriptor, for: multi) }

    func keepSocket(_ descriptor: Int32, for multi: MultiHandle) { poller.keep(descriptor, for: multi) }

    func socketWillClose(_ descriptor: Int32) { poller.closed(descriptor) }
}
#endif

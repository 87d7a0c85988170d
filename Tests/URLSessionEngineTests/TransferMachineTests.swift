// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import URLSessionEngine

@Suite struct TransferMachineTests {
    private let cancelled = HTTPError(.cancelled, attempting: "GET", "it was cancelled")

    @Test func `a transfer is a task, a head, content and an end, in this order`() {
        var machine = TransferMachine(tasksCanPause: false)
        machine.taskWasMade()
        #expect(machine.actions() == ["resumeTask"])

        machine.receivedHead(HTTPResponseHead(status: 200))
        #expect(machine.actions() == ["head 200"])
        machine.decide(.stream)
        machine.receivedContent(Data(count: 3))
        machine.taskIsOver()
        machine.ended(nil)

        #expect(machine.actions() == ["open", "content 3", "progress", "finish"])
        #expect(machine.actions() == [])
    }

    @Test func `everything waits for the receiver's answer to the head`() {
        var machine = TransferMachine.running()
        machine.receivedHead(HTTPResponseHead(status: 200))
        machine.receivedContent(Data(count: 3))
        machine.taskIsOver()
        machine.ended(nil)
        #expect(machine.actions() == ["head 200"])
        #expect(machine.waitsForReceiver)

        machine.decide(.wait)
        #expect(machine.actions() == [])
        machine.decide(.stream)
        machine.decide(.cancel)

        #expect(machine.actions() == ["open", "content 3", "progress", "finish"])
    }

    @Test func `an answer given before the head does not count`() {
        var machine = TransferMachine.running()
        machine.decide(.cancel)
        machine.receivedHead(HTTPResponseHead(status: 200))

        #expect(machine.actions() == ["head 200"])
    }

    @Test func `a failure of ours overtakes what has not been delivered, and cancels the task first`() {
        var machine = TransferMachine.running()
        machine.receivedHead(HTTPResponseHead(status: 200))
        machine.receivedContent(Data(count: 3))
        machine.fail(cancelled)
        machine.fail(HTTPError(.other, attempting: "GET", "too late"))

        #expect(machine.actions() == ["cancelTask", "finish cancelled"])
        machine.taskIsOver()
        machine.ended(HTTPError(.other, attempting: "GET", "Foundation's word for it"))
        #expect(machine.actions() == [])
        #expect(machine.isFinished)
    }

    @Test func `a failure before there is a task cancels none, until one is made nevertheless`() {
        var machine = TransferMachine(tasksCanPause: false)
        machine.fail(cancelled)
        #expect(machine.actions() == ["finish cancelled"])

        machine.taskWasMade()
        #expect(machine.actions() == ["cancelTask"])
        #expect(!machine.taskMayBeAnswered)
    }

    @Test func `a task that is over is not touched any more`() {
        var machine = TransferMachine.running()
        machine.taskIsOver()
        machine.ended(nil)
        machine.suspend()
        machine.fail(cancelled)

        #expect(machine.actions() == ["finish cancelled"])
    }

    @Test func `a response that is complete while its task lives on cancels the task`() {
        var machine = TransferMachine.running()
        machine.receivedHead(HTTPResponseHead(status: 401))
        machine.ended(nil)

        #expect(machine.actions() == ["cancelTask", "head 401"])
        machine.decide(.discard(limit: 0))
        #expect(machine.actions() == ["open", "finish"])
    }

    @Test(arguments: [true, false])
    func `a suspended transfer delivers nothing, and stops its task where that can be`(tasksCanPause: Bool) {
        var machine = TransferMachine.running(tasksCanPause: tasksCanPause)
        machine.suspend()
        machine.receivedHead(HTTPResponseHead(status: 200))
        #expect(machine.actions() == (tasksCanPause ? ["suspendTask"] : []))

        machine.resume()
        #expect(machine.actions() == (tasksCanPause ? ["resumeTask", "head 200"] : ["head 200"]))
    }

    @Test func `a transfer that is suspended before its task is made does not begin`() {
        var machine = TransferMachine(tasksCanPause: false)
        machine.suspend()
        machine.taskWasMade()
        #expect(machine.actions() == [])

        machine.resume()
        #expect(machine.actions() == ["resumeTask"])
    }

    @Test func `a receiver that pauses gets no more until it asks`() {
        var machine = TransferMachine.streaming()
        machine.receivedContent(Data(count: 1))
        machine.receivedContent(Data(count: 2))
        #expect(machine.nextContent() == "content 1")
        machine.receiverPaused()
        #expect(machine.remainingActions() == ["progress"])

        machine.receiverWantsMore()
        #expect(machine.actions() == ["content 2", "progress"])
    }

    @Test func `an order for more that overtakes the answer to pause is not lost`() {
        var machine = TransferMachine.streaming()
        machine.receivedContent(Data(count: 1))
        machine.receivedContent(Data(count: 2))
        #expect(machine.nextContent() == "content 1")
        machine.receiverWantsMore()
        machine.receiverPaused()

        #expect(machine.remainingActions() == ["progress", "content 2", "progress"])
    }

    @Test func `where a task cannot be stopped, no more than a limit is held`() {
        var machine = TransferMachine(tasksCanPause: false, heldByteLimit: 10)
        machine.taskWasMade()
        machine.receivedHead(HTTPResponseHead(status: 200))
        machine.receivedContent(Data(count: 10))
        #expect(machine.actions() == ["resumeTask", "head 200"])

        machine.receivedContent(Data(count: 1))
        #expect(machine.actions() == ["cancelTask", "finish unsupportedByTransport"])
    }

    @Test func `a second final head, and what comes behind the end, count for nothing`() {
        var machine = TransferMachine.running()
        machine.receivedContent(Data(count: 1))
        machine.receivedHead(HTTPResponseHead(status: 200))
        machine.receivedHead(HTTPResponseHead(status: 500))
        machine.receivedInterimHead(HTTPResponseHead(status: 103))
        machine.taskIsOver()
        machine.ended(nil)
        machine.receivedContent(Data(count: 1))
        #expect(machine.actions() == ["head 200"])
        machine.decide(.stream)

        #expect(machine.actions() == ["open", "finish"])
    }
}

extension TransferMachine {
    fileprivate static func running(tasksCanPause: Bool = false) -> TransferMachine {
        var machine = TransferMachine(tasksCanPause: tasksCanPause)
        machine.taskWasMade()
        _ = machine.actions()
        return machine
    }

    fileprivate static func streaming() -> TransferMachine {
        var machine = running()
        machine.receivedHead(HTTPResponseHead(status: 200))
        _ = machine.actions()
        machine.decide(.stream)
        _ = machine.actions()
        return machine
    }

    /// All there is to do, one word or two each.
    fileprivate mutating func actions() -> [String] {
        guard beginDraining() else { return ["is draining"] }
        return remainingActions()
    }

    fileprivate mutating func remainingActions() -> [String] {
        var actions: [String] = []
        while let action = next() { actions.append(Self.words(action)) }
        return actions
    }

    /// The first action alone; draining goes on.
    fileprivate mutating func nextContent() -> String? {
        _ = beginDraining()
        return next().map(Self.words)
    }

    private static func words(_ action: Action) -> String {
        switch action {
        case .resumeTask: "resumeTask"
        case .suspendTask: "suspendTask"
        case .cancelTask: "cancelTask"
        case .deliverInterimHead(let head): "interim \(head.status)"
        case .deliverHead(let head): "head \(head.status)"
        case .open: "open"
        case .deliverContent(let bytes): "content \(bytes.count)"
        case .deliverProgress: "progress"
        case .finish(let error): error.map { "finish \($0.label)" } ?? "finish"
        }
    }
}

// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Testing

@testable import CurlEngine

struct TransferStateMachineTests {
    private func machine(_ steps: (inout TransferStateMachine) -> Void) -> TransferStateMachine {
        var machine = TransferStateMachine()
        steps(&machine)
        return machine
    }

    private var receiving: TransferStateMachine {
        machine {
            _ = $0.turnCame()
            _ = $0.headArrived()
        }
    }

    private var undecided: TransferStateMachine {
        var machine = receiving
        machine.decisionWasPutOff()
        return machine
    }

    @Test func `a transfer is sent, has a head, content and one end`() {
        var machine = TransferStateMachine()

        #expect(machine.turnCame() == .send)
        #expect(machine.headArrived() == true)
        #expect(machine.contentArrived() == .take)
        #expect(machine.engineEnded(succeeded: true) == .deliver)
        #expect(machine.engineEnded(succeeded: true) == .ignore)
        #expect(machine.stopped() == false)
    }

    @Test func `the receiver hears of one final head`() {
        var machine = receiving
        #expect(machine.headArrived() == false)
    }

    @Test func `content before a head, or after the end, is refused`() {
        var waiting = machine { _ = $0.turnCame() }
        #expect(waiting.contentArrived() == .refuse)
        var ended = machine { _ = $0.stopped() }
        #expect(ended.contentArrived() == .refuse)
    }

    @Test func `content is held until it is decided where it goes`() {
        var machine = undecided

        #expect(machine.contentArrived() == .hold)
        #expect(machine.holdsReading)
        #expect(!machine.idleTimeRuns)
        #expect(machine.decided() == .open)
        #expect(machine.contentArrived() == .take)
        #expect(machine.decided() == .ignore)
    }

    @Test func `success waits for the decision, failure does not`() {
        var succeeded = undecided
        #expect(succeeded.engineEnded(succeeded: true) == .hold)
        #expect(!succeeded.isFinished)
        #expect(succeeded.decided() == .openAndEnd)
        #expect(succeeded.engineEnded(succeeded: true) == .deliver)

        var failed = undecided
        #expect(failed.engineEnded(succeeded: false) == .deliver)
        #expect(failed.decided() == .ignore)
    }

    @Test func `a decision before there is anything to decide means nothing`() {
        var machine = TransferStateMachine()
        #expect(machine.decided() == .ignore)
        #expect(machine.phase == .waiting)
    }

    @Test func `suspension and a full receiver stop reading independently`() {
        var machine = receiving
        machine.receiverIsFull()
        #expect(machine.suspended(hasBegun: true) == .updatePauses)
        #expect(machine.receiverWantsContent() == .updatePauses)
        #expect(machine.holdsReading)
        #expect(machine.contentArrived() == .hold)
        #expect(machine.resumed() == .updatePauses)
        #expect(!machine.holdsReading)

        machine.receiverIsFull()
        #expect(machine.holdsReading)
        #expect(!machine.holdsSending)
        #expect(machine.receiverWantsContent() == .updatePauses)
        #expect(machine.receiverWantsContent() == .ignore)
    }

    @Test func `one resume undoes any number of suspensions`() {
        var machine = receiving
        #expect(machine.suspended(hasBegun: true) == .updatePauses)
        #expect(machine.suspended(hasBegun: true) == .ignore)
        #expect(machine.holdsSending)
        #expect(machine.resumed() == .updatePauses)
        #expect(machine.resumed() == .ignore)
        #expect(!machine.holdsSending)
    }

    @Test func `a suspended transfer lets its turn pass and joins the line again`() {
        var machine = TransferStateMachine()
        #expect(machine.suspended(hasBegun: true) == .leaveLine)
        #expect(machine.turnCame() == .stayOut)
        #expect(machine.resumed() == .joinLine)
        #expect(machine.turnCame() == .send)
        #expect(machine.turnCame() == .stayOut)
    }

    @Test func `a transfer that is suspended while it connects gives its turn back`() {
        var machine = machine { _ = $0.turnCame() }
        #expect(machine.suspended(hasBegun: false) == .leaveLine)
        #expect(machine.resumed() == .joinLine)
        #expect(machine.turnCame() == .send)
        #expect(machine.suspended(hasBegun: true) == .updatePauses)
    }

    @Test func `every state can be stopped, once`() {
        for start in [TransferStateMachine(), machine { _ = $0.turnCame() }, receiving, undecided] {
            var machine = start
            #expect(machine.stopped() == true)
            #expect(machine.stopped() == false)
            #expect(machine.engineEnded(succeeded: true) == .ignore)
            #expect(machine.suspended(hasBegun: true) == .ignore)
            #expect(machine.resumed() == .ignore)
            #expect(machine.receiverWantsContent() == .ignore)
            #expect(machine.turnCame() == .stayOut)
            #expect(machine.headArrived() == false)
        }
    }
}
#endif

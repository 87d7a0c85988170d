// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ScriptedTransportTests {
    private let transport = ScriptedTransport { message in .ok("handled \(message.target)") }
    private let url = URL(string: "http://host/a?b=c")!

    private func start(
        _ request: HTTPRequest? = nil, _ disposition: ContentDisposition = .collect(limit: 100), reportsProgress: Bool = false,
        demand: ContentDemand = .more
    ) -> (receiver: Receiver, control: any TransferControl) {
        let receiver = Receiver(disposition, demand: demand)
        let control = transport.start(
            request ?? HTTPRequest(url: url), options: TransferOptions(reportsProgress: reportsProgress), receiver: receiver)
        return (receiver, control)
    }

    @Test func `the queue answers first, then the handler; requests are recorded`() async throws {
        transport.enqueue(.status(503, fields: ["Retry-After": "5"], "busy"))

        let first = start(HTTPRequest(method: "POST", url: url, body: HTTPBody(Data("body".utf8))))
        #expect(try await first.receiver.wait() == [.head(503), .end(nil, "busy")])
        let second = start()
        #expect(try await second.receiver.wait() == [.head(200), .end(nil, "handled /a?b=c")])

        #expect(transport.messages.map(\.request.method) == ["POST", "GET"])
        #expect(transport.messages.map(\.body) == [Data("body".utf8), Data()])
        #expect(transport.liveTransferCount == 0)
        #expect(transport.unusedAnswerCount == 0)
    }

    @Test func `whoever keeps a control does not keep the receiver beyond the end`() async throws {
        final class Witness: TransferReceiver {
            let deinits: EventRecorder<Void>
            init(_ deinits: EventRecorder<Void>) { self.deinits = deinits }
            deinit { deinits.record(()) }
            func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .collect(limit: 100) }
            func transferDidFinish(_ outcome: TransferOutcome) {}
        }
        let deinits = EventRecorder<Void>()

        let control = transport.start(HTTPRequest(url: url), options: TransferOptions(), receiver: Witness(deinits))

        _ = try await deinits.wait(for: 1)
        control.cancel()
    }

    @Test func `without a handler the answer is 404`() async throws {
        let receiver = Receiver(.collect(limit: 10))
        _ = ScriptedTransport().start(HTTPRequest(url: url), options: TransferOptions(), receiver: receiver)

        #expect(try await receiver.wait() == [.head(404), .end(nil, "")])
    }

    @Test func `what must not be sent is refused and not recorded`() async throws {
        let receiver = start(HTTPRequest(method: "B AD", url: url)).receiver

        #expect(try await receiver.wait() == [.end(.invalidMethod, "")])
        #expect(transport.messages.isEmpty)
    }

    @Test func `interim heads, pieces, trailers and an error come in order`() async throws {
        var answer = ScriptedAnswer(
            head: HTTPResponseHead(status: 200), pieces: [Data("a".utf8), Data(), Data("bc".utf8)],
            error: HTTPError(.truncatedContent, attempting: "a test", "it was asked for"))
        answer.interimHeads = [HTTPResponseHead(status: 103)]
        answer.trailers = ["X": "1"]
        transport.enqueue(answer)

        let receiver = start(nil, .stream).receiver

        #expect(
            try await receiver.wait() == [.interim(103), .head(200), .content("a"), .content("bc"), .end(.truncatedContent, "")])
        #expect(receiver.outcome?.trailers == ["X": "1"])
        #expect(receiver.outcome?.bytesReceived == 3)
    }

    @Test func `a failure comes without a head`() async throws {
        transport.enqueue(.failure(.connectFailed))

        #expect(try await start().receiver.wait() == [.end(.connectFailed, "")])
    }

    @Test func `collected content has a limit`() async throws {
        transport.enqueue(.ok("too long"))

        #expect(try await start(nil, .collect(limit: 7)).receiver.wait() == [.head(200), .end(.contentTooLarge, "")])
    }

    @Test func `content goes to a file, anew or at its end`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("scripted-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        transport.enqueue(.ok("one"), .ok("two"), .ok("three"))

        #expect(try await start(nil, .file(file, appending: false)).receiver.wait() == [.head(200), .end(nil, "")])
        #expect(try await start(nil, .file(file, appending: true)).receiver.wait() == [.head(200), .end(nil, "")])
        #expect(try String(contentsOf: file, encoding: .utf8) == "onetwo")
        let missing = file.appendingPathComponent("below")
        #expect(try await start(nil, .file(missing, appending: false)).receiver.wait() == [.head(200), .end(.destinationNotWritable, "")])
    }

    @Test func `discarded content past its limit ends the transfer without an error`() async throws {
        transport.enqueue(ScriptedAnswer(head: HTTPResponseHead(status: 200), pieces: [Data(count: 5), Data(count: 5), Data(count: 5)]))

        let receiver = start(nil, .discard(limit: 7)).receiver

        #expect(try await receiver.wait() == [.head(200), .end(nil, "")])
        #expect(receiver.outcome?.bytesReceived == 10)
    }

    @Test func `a disposition may come later, or be a cancelling`() async throws {
        let waiting = start(nil, .wait)
        _ = try await waiting.receiver.events.wait(for: 1)
        waiting.control.decide(.stream)
        waiting.control.decide(.cancel)

        #expect(try await waiting.receiver.wait() == [.head(200), .content("handled /a?b=c"), .end(nil, "")])
        #expect(try await start(nil, .cancel).receiver.wait() == [.head(200), .end(.cancelled, "")])
    }

    @Test func `a receiver that pauses gets no more until it asks`() async throws {
        let gate = TestGate(isOpen: true)
        transport.enqueue(
            ScriptedAnswer(head: HTTPResponseHead(status: 200), pieces: [Data("a".utf8), Data("b".utf8)]).trickled(by: gate))
        let (receiver, control) = start(nil, .stream, demand: .pause)

        #expect(try await receiver.events.wait(for: 2) == [.head(200), .content("a")])
        control.requestMoreContent()
        #expect(try await receiver.events.wait(for: 3) == [.head(200), .content("a"), .content("b")])
        control.requestMoreContent()

        #expect(try await receiver.wait().last == .end(nil, ""))
    }

    @Test func `a suspended transfer stands still, and goes on`() async throws {
        let gate = TestGate()
        transport.enqueue(ScriptedAnswer.ok("x").held(by: gate))
        let (receiver, control) = start()
        try await gate.waitForWaiters()

        control.suspend()
        gate.open()
        let other = start()
        _ = try await other.receiver.wait()
        #expect(receiver.events.events.isEmpty)
        control.resume()

        #expect(try await receiver.wait() == [.head(200), .end(nil, "x")])
    }

    @Test(arguments: ["held", "suspended", "undecided", "paused"])
    func `a transfer can be cancelled in every state, and ends once`(state: String) async throws {
        let gate = TestGate(isOpen: state != "held")
        transport.enqueue(ScriptedAnswer.ok("x").held(by: gate))
        let (receiver, control) = start(nil, state == "undecided" ? .wait : .stream, demand: .pause)
        switch state {
        case "held": try await gate.waitForWaiters()
        case "suspended": control.suspend()
        case "undecided": _ = try await receiver.events.wait(for: 1)
        default: _ = try await receiver.events.wait(for: 2)
        }

        control.cancel()
        control.cancel()

        #expect(try await receiver.wait().last == .end(.cancelled, ""))
        control.resume()
        control.decide(.stream)
        #expect(receiver.events.events.count { if case .end = $0 { true } else { false } } == 1)
        #expect(transport.leakCounter.count() == 0)
    }

    @Test func `a body that is made while it is sent is read to its end, with progress`() async throws {
        let chunks = AsyncStream<Data> { continuation in
            for text in ["one", "", "two"] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        let (receiver, _) = start(HTTPRequest(method: "POST", url: url, body: HTTPBody(chunks, length: 6)), reportsProgress: true)

        #expect(
            try await receiver.wait() == [.sent(3), .sent(6), .head(200), .received(14), .end(nil, "handled /a?b=c")])
        #expect(transport.messages[0].body == Data("onetwo".utf8))
    }

    @Test func `a body of another length than announced fails`() async throws {
        let chunks = AsyncStream<Data> { $0.finish() }
        let receiver = start(HTTPRequest(method: "POST", url: url, body: HTTPBody(chunks, length: 6))).receiver

        #expect(try await receiver.wait() == [.end(.bodyLengthMismatch, "")])
    }

    @Test func `a transfer is cancelled while its body is awaited`() async throws {
        let (chunks, continuation) = AsyncStream<Data>.makeStream()
        let (receiver, control) = start(HTTPRequest(method: "POST", url: url, body: HTTPBody(chunks)), reportsProgress: true)
        continuation.yield(Data("a".utf8))
        _ = try await receiver.events.wait(for: 1)

        control.cancel()

        #expect(try await receiver.wait() == [.sent(1), .end(.cancelled, "")])
        continuation.finish()
    }

    @Test func `after shutting down nothing starts, and what runs is cancelled if asked for`() async throws {
        let gate = TestGate()
        transport.enqueue(ScriptedAnswer.ok.held(by: gate))
        let running = start()
        try await gate.waitForWaiters()

        transport.shutDown(cancellingTransfers: false)
        #expect(try await start().receiver.wait() == [.end(.shutDown, "")])
        #expect(transport.liveTransferCount == 1)
        transport.shutDown(cancellingTransfers: true)

        #expect(try await running.receiver.wait() == [.end(.cancelled, "")])
    }
}

/// Writes down what a transfer says.
private final class Receiver: TransferReceiver {
    enum Event: Sendable, Equatable {
        case interim(Int)
        case head(Int)
        case content(String)
        case sent(Int64)
        case received(Int64)
        case end(HTTPError.Kind?, String)
    }

    let events = EventRecorder<Event>()
    private let outcomes = EventRecorder<TransferOutcome>()
    private let disposition: ContentDisposition
    private let demand: ContentDemand

    init(_ disposition: ContentDisposition, demand: ContentDemand = .more) {
        self.disposition = disposition
        self.demand = demand
    }

    var outcome: TransferOutcome? { outcomes.events.first }

    /// All events, once the transfer has ended.
    func wait() async throws -> [Event] {
        try await events.wait { $0.contains { if case .end = $0 { true } else { false } } }
    }

    func transferDidReceiveInterimHead(_ head: HTTPResponseHead) { events.record(.interim(head.status)) }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition {
        events.record(.head(head.status))
        return disposition
    }

    func transferDidReceiveContent(_ bytes: Data) -> ContentDemand {
        events.record(.content(String(decoding: bytes, as: UTF8.self)))
        return demand
    }

    func transferDidProgress(_ progress: TransferProgress) {
        events.record(progress.bytesReceived > 0 ? .received(progress.bytesReceived) : .sent(progress.bytesSent))
    }

    func transferDidFinish(_ outcome: TransferOutcome) {
        outcomes.record(outcome)
        events.record(.end(outcome.error?.kind, String(decoding: outcome.content, as: UTF8.self)))
    }
}

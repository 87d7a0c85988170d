// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// What one transfer must not keep the loop from, however fast its content comes.
@Suite(.timeLimit(.minutes(1))) struct FairnessTests {
    @Test func `a transfer that has always more to read is cancelled when it is asked to`() async throws {
        try await withTemporaryDirectory { directory in
            let outpaced = try OutpacedReceiver(in: directory)
            defer { outpaced.server.close() }
            let control = try await outpaced.start()
            control.cancel()
            #expect(try await outpaced.outcome().error?.kind == .cancelled)
        }
    }

    @Test func `a transfer that has always more to read is suspended when it is asked to`() async throws {
        try await withTemporaryDirectory { directory in
            let outpaced = try OutpacedReceiver(in: directory)
            defer { outpaced.server.close() }
            let control = try await outpaced.start()
            control.suspend()
            try await outpaced.server.waitForStalledResponse()
            control.cancel()
            #expect(try await outpaced.outcome().error?.kind == .cancelled)
        }
    }

    @Test func `others are served beside a transfer that has always more to read`() async throws {
        let server = try TestServer { _ in .ok("other") }
        try await withTemporaryDirectory { directory in
            let outpaced = try OutpacedReceiver(in: directory)
            defer { outpaced.server.close() }
            let control = try await outpaced.start()
            #expect(try await CurlTransport().get(server.url()).text == "other")
            control.cancel()
            #expect(try await outpaced.outcome().error?.kind == .cancelled)
        }
    }

    /// It takes all processors, and with them the time of the tests beside it.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["OPENMOYA_STRESS"] != nil, "runs where OPENMOYA_STRESS is set"))
    func `others are served beside a transfer that is suspended and resumed without end`() async throws {
        let gate = TestGate()
        let server = try TestServer { $0.path == "/steered" ? ScriptedResponse.ok("steered").stalled(by: gate) : .ok("other") }
        let transport = CurlTransport()
        let receiver = RecordingReceiver()
        let control = transport.start(HTTPRequest(url: server.url("/steered")), options: TransferOptions(), receiver: receiver)
        try await gate.waitForWaiters()
        let isOver = Locked(false)
        let threads = EventRecorder<Void>()
        for _ in 0..<2 {
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) {
                    for _ in 0..<1_000 {
                        control.suspend()
                        control.resume()
                        control.requestMoreContent()
                    }
                }
                threads.record(())
            }
        }

        for _ in 0..<20 { #expect(try await transport.get(server.url("/other")).text == "other") }

        isOver.withLock { $0 = true }
        _ = try await threads.wait(for: 2)
        gate.open()
        #expect(try await receiver.exchange().text == "steered")
    }

    @Test func `others are served beside a body that is sent as fast as it can be`() async throws {
        let length = 512 << 20
        let sink = try TestServer(.init { $0.bodyPolicy = .count }) { _ in .ok }
        let server = try TestServer { _ in .ok("other") }
        let transport = CurlTransport()
        let receiver = RecordingReceiver(.discard(limit: 0))
        let control = transport.start(
            HTTPRequest(method: "POST", url: sink.url(), body: HTTPBody(Data(count: length))), options: TransferOptions(),
            receiver: receiver)
        try await sink.waitForBody(byteCount: 1)
        #expect(try await transport.get(server.url()).text == "other")
        control.cancel()
        #expect(try await receiver.exchange().error?.kind == .cancelled)
        #expect(sink.requests[0].bodyByteCount < length)
    }
}

/// Takes each piece of content when the server has sent more: libcurl never finds the connection empty. What is sent into a Unix domain
/// socket is there to be read at once; TCP may hold it back.
private final class OutpacedReceiver: TransferReceiver {
    private static let length = 256 << 20
    /// Less than a quarter of what the socket holds: with more in it the system does not tell the server to go on.
    private static let lead = 30_000

    let server: TestServer
    private let transport: CurlTransport
    private let received = Locked(0)
    private let hasContent = TestGate()
    private let result = Locked<TransferOutcome?>(nil)
    private let hasEnded = TestGate()

    init(in directory: URL) throws {
        let path = directory.appendingPathComponent("socket").path
        server = try TestServer(.listening(on: .unixSocket(path: path)))
        server.enqueue(.repeating(Data(repeating: 0x2E, count: 64_000), count: Self.length))
        transport = .with { $0.unixSocketPath = path }
    }

    /// Starts the transfer and returns when content has come.
    func start() async throws -> any TransferControl {
        let control = transport.start(HTTPRequest(url: server.url()), options: TransferOptions(), receiver: self)
        try await hasContent.pass()
        return control
    }

    func outcome() async throws -> TransferOutcome {
        try await hasEnded.pass()
        return try #require(result.withLock { $0 })
    }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .stream }

    func transferDidReceiveContent(_ bytes: Data) -> ContentDemand {
        let received = received.withLock { received in
            received += bytes.count
            return received
        }
        hasContent.open()
        while server.requests[0].responseByteCount < min(Self.length, received + Self.lead), server.openConnectionCount > 0 {
            sched_yield()
        }
        return .more
    }

    func transferDidFinish(_ outcome: TransferOutcome) {
        result.withLock { $0 = outcome }
        hasEnded.open()
    }
}
#endif

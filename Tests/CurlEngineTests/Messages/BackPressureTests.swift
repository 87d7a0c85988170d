// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// A transfer stands still when it is told to, and with it the other side.
@Suite(.timeLimit(.minutes(1)))
struct BackPressureTests {
    private let transport = CurlTransport()
    private static let count = 100_000_000
    /// What may be under way when a reader stops: the socket buffers of both sides, up to 36 MiB on recent kernels, and libcurl's own.
    private static let underWay = 48_000_000

    private func endlessServer() throws -> TestServer {
        try TestServer { request in request.path == "/" ? .repeating(Data("0123456789".utf8), count: Self.count) : .ok("other") }
    }

    @Test func `a receiver that wants no more stops the server`() async throws {
        let server = try endlessServer()
        let receiver = RecordingReceiver(.stream, demand: .pause)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)

        let sent = try await server.waitForStalledResponse()
        let received = receiver.content.count
        #expect(sent < Self.underWay)
        #expect(received < 200_000)

        // Each demand brings more, and not much more.
        control.requestMoreContent()
        _ = try await receiver.recorder.wait { $0.reduce(0) { if case .content(let data) = $1 { $0 + data.count } else { $0 } } > received }
        #expect(receiver.endCount == 0)
        control.cancel()
        #expect(try await receiver.exchange().error?.kind == .cancelled)
    }

    @Test func `a receiver that pauses after each piece gets everything`() async throws {
        let server = try TestServer { _ in .repeating(Data("0123456789".utf8), count: 1_000_000) }
        let steering = Steering()
        let receiver = RecordingReceiver({ _ in .stream }, demand: { _ in steering.requestMore() })
        steering.control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        steering.ready()

        let exchange = try await receiver.exchange()

        #expect(exchange.error == nil)
        #expect(receiver.content == Data(String(repeating: "0123456789", count: 100_000).utf8))
    }

    @Test func `content that waits for a decision stops the server`() async throws {
        let server = try endlessServer()
        let receiver = RecordingReceiver(.wait)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await receiver.waitForHead()

        #expect(try await server.waitForStalledResponse() < Self.underWay)
        control.decide(.collect(limit: Self.count))

        #expect(try await receiver.exchange().outcome.content.count == Self.count)
    }

    @Test func `a suspended transfer stops the server, and a resumed one is complete`() async throws {
        let server = try endlessServer()
        let receiver = RecordingReceiver(.stream)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await receiver.waitForContent()

        control.suspend()
        control.suspend()
        // Another exchange, so that the loop has come to the suspension.
        #expect(try await transport.get(server.url("/other")).text == "other")
        if receiver.endCount == 0 {
            let before = receiver.content.count
            try await server.waitForStalledResponse()
            #expect(receiver.content.count == before)
        }
        control.resume()

        #expect(try await receiver.exchange().outcome.bytesReceived == Int64(Self.count))
    }

    @Test func `a suspended transfer does not send`() async throws {
        let server = try TestServer { _ in .ok }
        let producer = GatedChunks(count: 50)
        let receiver = RecordingReceiver()
        let request = HTTPRequest(method: "PUT", url: server.url("/"), body: HTTPBody(length: nil, replay: .once) { producer })
        let control = transport.start(request, options: TransferOptions(), receiver: receiver)
        producer.gate.release(2)
        // Both have arrived, so that nothing is on its way when the transfer is suspended.
        try await server.waitForBody(byteCount: 20)

        control.suspend()
        _ = try await transport.get(server.url("/other"))
        producer.gate.open()
        _ = try await transport.get(server.url("/other"))
        #expect(server.requests[0].bodyByteCount == 20)
        control.resume()

        #expect(try await receiver.exchange().status == 200)
        #expect(server.requests[0].bodyByteCount == 500)
    }

    @Test func `a transfer that is suspended before it begins does not connect`() async throws {
        let server = try TestServer { _ in .ok("done") }
        let receiver = RecordingReceiver()
        let limited = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        // While the loop's thread stands still, it can connect nothing between the two commands.
        let loop = try await HeldLoop(by: transport, server)
        let control = limited.start(HTTPRequest(url: server.url("/first")), options: TransferOptions(), receiver: receiver)
        control.suspend()
        loop.letGo()
        let other = try await limited.get(server.url("/second"))
        #expect(other.text == "done")
        control.resume()
        #expect(try await receiver.exchange().text == "done")
        #expect(server.requests.map(\.path) == ["/held", "/second", "/first"])
    }

    @Test func `a body that can be sent once is made once, though its transfer gave its turn back`() async throws {
        let server = try TestServer { _ in .ok }
        // While the loop's thread stands still, the transfer gets its turn and no connection.
        let loop = try await HeldLoop(by: transport, server)
        let producers = EventRecorder<GatedChunks>()
        let body = HTTPBody(length: nil, replay: .once) {
            let producer = GatedChunks(count: 3)
            producer.gate.open()
            producers.record(producer)
            return producer
        }
        let receiver = RecordingReceiver()
        let request = HTTPRequest(method: "PUT", url: server.url("/"), body: body)
        let control = transport.start(request, options: TransferOptions(), receiver: receiver)
        control.suspend()
        loop.letGo()
        _ = try await transport.get(server.url("/other"))
        control.resume()

        #expect(try await receiver.exchange().status == 200)
        #expect(producers.events.count == 1)
        #expect(server.requests.last?.body.count == 30)
    }

    @Test func `a suspended transfer that waits in line lets others pass`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in request.path == "/slow" ? ScriptedResponse.ok.stalled(by: gate) : .ok(request.path) }
        let limited = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        let receivers = (0..<3).map { _ in RecordingReceiver() }
        var controls: [any TransferControl] = []
        for (receiver, path) in zip(receivers, ["/slow", "/suspended", "/next"]) {
            controls.append(limited.start(HTTPRequest(url: server.url(path)), options: TransferOptions(), receiver: receiver))
        }
        controls[1].suspend()
        try await gate.waitForWaiters()
        gate.open()

        #expect(try await receivers[2].exchange().text == "/next")
        #expect(receivers[1].endCount == 0)
        controls[1].resume()
        #expect(try await receivers[1].exchange().text == "/suspended")
        #expect(server.requests.map(\.path) == ["/slow", "/next", "/suspended"])
    }
}

/// Asks for more content after each piece, through a control that is known only once the transfer has begun.
private final class Steering: Sendable {
    private let state = Locked<((any TransferControl)?, isReady: Bool, isWanted: Bool)>((nil, false, false))

    var control: (any TransferControl)? {
        get { state.withLock { $0.0 } }
        set { state.withLock { $0.0 = newValue } }
    }

    func requestMore() -> ContentDemand {
        state.withLock {
            $0.isWanted = true; return $0.0
        }?.requestMoreContent()
        return .pause
    }

    /// The first pieces may have come before the control was known.
    func ready() {
        if state.withLock({ $0.isWanted }) { control?.requestMoreContent() }
    }
}

/// Chunks of ten bytes, each let through by a gate.
private final class GatedChunks: HTTPBodyChunks {
    let gate = TestGate()
    private let left: Locked<Int>

    init(count: Int) { left = Locked(count) }

    func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        Task {
            do {
                try await gate.pass()
                let left = left.withLock { left in
                    left -= 1
                    return left
                }
                completion(.success(left >= 0 ? Data("0123456789".utf8) : nil))
            } catch {
                completion(.failure(error))
            }
        }
    }

    func cancel() {}
}
#endif

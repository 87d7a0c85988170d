// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import Glibc
import HTTPMessages
import HTTPTesting
import Testing

/// What one transfer must not keep the loop from, however fast its content comes.
@Suite(.timeLimit(.minutes(1))) struct FairnessTests {
    @Test func `a transfer that has always more to read is cancelled when it is asked to`() async throws {
        try await withTemporaryDirectory { directory in
            let endless = try EndlessReceiver(in: directory) { $0.cancel() }
            try endless.start()
            #expect(try await endless.outcome().error?.kind == .cancelled)
        }
    }

    @Test func `a transfer that has always more to read is suspended when it is asked to`() async throws {
        let server = try TestServer { _ in .ok("other") }
        try await withTemporaryDirectory { directory in
            let isSuspended = TestGate()
            let endless = try EndlessReceiver(in: directory) { control in
                control.suspend()
                isSuspended.open()
            }
            let control = try endless.start()
            try await isSuspended.pass()
            #expect(try await CurlTransport().get(server.url()).text == "other")
            let received = endless.receivedCount
            #expect(try await CurlTransport().get(server.url()).text == "other")
            #expect(endless.receivedCount == received)
            control.cancel()
            #expect(try await endless.outcome().error?.kind == .cancelled)
        }
    }

    @Test func `others are served beside a transfer that has always more to read`() async throws {
        try await withTemporaryDirectory { directory in
            let server = try UnixServer(at: directory.appendingPathComponent("other").path)
            let endless = Locked<(any TransferControl)?>(nil)
            let other = EndingReceiver { endless.withLock { $0 }?.cancel() }
            _ = server.transport.start(
                HTTPRequest(url: try #require(URL(string: "http://localhost/"))), options: TransferOptions(), receiver: other)
            try await server.hasRequest.pass()
            let receiver = try EndlessReceiver(in: directory) { control in
                endless.withLock { $0 = control }
                server.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother".utf8))
            }
            try receiver.start()
            #expect(try await receiver.outcome().error?.kind == .cancelled)
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

/// Hears of the end of a transfer on the loop's thread: tests' tasks may have to wait for theirs.
private final class EndingReceiver: TransferReceiver {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .collect(limit: 100) }
    func transferDidFinish(_ outcome: TransferOutcome) { onEnd() }
}

/// Sends itself more whenever it receives something: libcurl never finds the connection empty.
private final class EndlessReceiver: TransferReceiver {
    /// No more than a broken loop can be let to read.
    private static let length = 1 << 30
    private static let block = Data(repeating: 0x2E, count: 64_000)

    private let server: UnixServer
    private let received = Locked(0)
    private let control = Locked<(any TransferControl)?>(nil)
    private let steer: @Sendable (any TransferControl) -> Void
    private let result = Locked<TransferOutcome?>(nil)
    private let hasEnded = TestGate()

    /// `steer` is called once, on the loop's thread, when content has come.
    init(in directory: URL, _ steer: @escaping @Sendable (any TransferControl) -> Void) throws {
        server = try UnixServer(
            at: directory.appendingPathComponent("endless").path,
            beginningWith: Data("HTTP/1.1 200 OK\r\nContent-Length: \(Self.length)\r\n\r\nfirst".utf8))
        self.steer = steer
    }

    var receivedCount: Int { received.withLock { $0 } }

    @discardableResult
    func start() throws -> any TransferControl {
        let url = try #require(URL(string: "http://localhost/"))
        let started = server.transport.start(HTTPRequest(url: url), options: TransferOptions(), receiver: self)
        control.withLock { $0 = started }
        return started
    }

    func outcome() async throws -> TransferOutcome {
        try await hasEnded.pass()
        return try #require(result.withLock { $0 })
    }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .stream }

    func transferDidReceiveContent(_ bytes: Data) -> ContentDemand {
        received.withLock { $0 += bytes.count }
        while server.send(Self.block) {}
        let unsteered = control.withLock { control in
            defer { control = nil }
            return control
        }
        if let unsteered { steer(unsteered) }
        return .more
    }

    func transferDidFinish(_ outcome: TransferOutcome) {
        result.withLock { $0 = outcome }
        hasEnded.open()
    }
}

/// Takes one connection on a Unix domain socket, where what is sent is there to be read at once; TCP may hold it back.
private final class UnixServer: Sendable {
    let transport: CurlTransport
    /// Opened by the request.
    let hasRequest = TestGate()
    private let listening: Int32
    private let connection = Locked<Int32>(-1)

    init(at path: String, beginningWith bytes: Data = Data()) throws {
        transport = .with { $0.unixSocketPath = path }
        listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listening, 1) == 0
            }
        }
        guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        Thread.detachNewThread { [self] in takeRequest(answer: bytes) }
    }

    deinit {
        close(listening)
        if let connection = connection.withLock({ $0 < 0 ? nil : $0 }) { close(connection) }
    }

    private func takeRequest(answer: Data) {
        let accepted = accept(listening, nil, nil)
        connection.withLock { $0 = accepted }
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(accepted, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += buffer[..<count]
        }
        hasRequest.open()
        send(answer)
    }

    /// Whether there was room for some of it, without waiting.
    @discardableResult
    func send(_ bytes: Data) -> Bool {
        let connection = connection.withLock { $0 }
        return bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) > 0 }
    }
}
#endif

// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ResponseTests {
    private let transport = CurlTransport()

    @Test func `a response has its head, its content and its measures`() async throws {
        let server = try TestServer { _ in .ok("hello", fields: ["X-One": "1"]) }

        let exchange = try await transport.get(server.url("/"))

        #expect(exchange.names == ["head 200", "end well"])
        #expect(exchange.head?.version == .http1_1)
        #expect(exchange.head?.value(for: "x-one") == "1")
        #expect(exchange.text == "hello")
        #expect(exchange.outcome.bytesReceived == 5)
        let metrics = try #require(exchange.outcome.metrics)
        #expect(metrics.contentBytesReceived == 5 && metrics.contentBytesSent == 0)
        #expect(metrics.remoteAddress == "127.0.0.1" && metrics.remotePort == server.port)
        #expect(metrics.version == .http1_1 && !metrics.usedProxy)
        #expect(metrics.total > .zero && metrics.firstByte.map { $0 <= metrics.total } == true)
        #expect(metrics.headBytesSent == server.requests[0].rawHead.count)
    }

    @Test func `the second request on a connection is measured as such`() async throws {
        let server = try TestServer { _ in .ok }

        let metrics = [try await transport.get(server.url("/")), try await transport.get(server.url("/"))].map(\.outcome.metrics)

        #expect(metrics.map { $0?.reusedConnection } == [false, true])
        #expect(metrics[0]?.connect != nil && metrics[1]?.connect == nil)
    }

    @Test(arguments: [301, 302, 303, 307, 308, 401, 407, 417, 500])
    func `redirects, challenges and errors come through`(status: Int) async throws {
        let server = try TestServer { _ in
            .status(status, fields: ["Location": "/elsewhere", "WWW-Authenticate": "Basic realm=\"x\"", "Set-Cookie": "a=b"], "text")
        }

        let first = try await transport.get(server.url("/"))
        _ = try await transport.get(server.url("/again"))

        #expect(first.status == status && first.text == "text" && first.error == nil)
        #expect(server.requests.map(\.target) == ["/", "/again"])
        #expect(server.requests[1].fields["Cookie"] == nil)
    }

    @Test func `interim heads come first`() async throws {
        let server = try TestServer { _ in ScriptedResponse.ok("x").interim(103, fields: ["Link": "</a>"]).interim(102) }

        let exchange = try await transport.get(server.url("/"))

        #expect(exchange.names == ["interim 103", "interim 102", "head 200", "end well"])
        guard case .interim(let head) = exchange.events[0] else { return }
        #expect(head.value(for: "link") == "</a>")
        #expect(exchange.head?.value(for: "link") == nil)
    }

    @Test func `trailer fields come with the end`() async throws {
        let server = try TestServer { _ in .chunked(["one", "two"], trailers: ["X-Sum": "6", "Expires": "0"]) }

        let exchange = try await transport.get(server.url("/"))

        #expect(exchange.text == "onetwo")
        #expect(exchange.outcome.trailers == ["X-Sum": "6", "Expires": "0"])
    }

    @Test func `content without a length ends with the connection`() async throws {
        let server = try TestServer { _ in ScriptedResponse(200, content: .untilClose(Data("to the end".utf8))) }

        let exchange = try await transport.get(server.url("/"))

        #expect(exchange.text == "to the end" && exchange.error == nil)
    }

    @Test func `HTTP 1.0 is understood`() async throws {
        let server = try TestServer { _ in .raw("HTTP/1.0 200 OK\r\n\r\nold") }
        let exchange = try await transport.get(server.url("/"))
        #expect(exchange.head?.version == .http1_0 && exchange.text == "old")
    }

    // MARK: Where the content goes

    @Test(arguments: [0, 1, 5, 16_384, 100_000, 3_000_000])
    func `collected content is complete`(count: Int) async throws {
        let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try TestServer { request in request.path == "/chunked" ? .chunked([.init(content)]) : .ok(content) }

        #expect(try await transport.get(server.url("/")).outcome.content == content)
        if count > 0 { #expect(try await transport.get(server.url("/chunked")).outcome.content == content) }
    }

    @Test func `more than may be collected is an error`() async throws {
        let server = try TestServer { _ in .ok("123456") }
        let fits = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .collect(limit: 6))
        let tooLong = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .collect(limit: 5))
        #expect(fits.text == "123456")
        #expect(tooLong.names == ["head 200", "end contentTooLarge"])
    }

    @Test func `content goes to a file, anew or behind what is there`() async throws {
        let server = try TestServer { _ in .repeating(Data("ab".utf8), count: 200_000) }
        try await withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("content")
            try Data("old".utf8).write(to: file)

            let appended = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .file(file, appending: true))
            let length = try Data(contentsOf: file).count
            _ = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .file(file, appending: false))

            #expect(appended.error == nil && appended.outcome.bytesReceived == 200_000)
            #expect(length == 200_003)
            #expect(try Data(contentsOf: file) == Data(String(repeating: "ab", count: 100_000).utf8))
        }
    }

    @Test func `an empty response leaves an empty file`() async throws {
        let server = try TestServer { _ in .noContent }
        try await withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("content")
            let exchange = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .file(file, appending: false))
            #expect(exchange.error == nil)
            #expect(try Data(contentsOf: file).isEmpty)
        }
    }

    @Test func `a named pipe that nobody reads holds up no transfer, and is an error`() async throws {
        let server = try TestServer { _ in .ok("content") }
        try await withTemporaryDirectory { directory in
            let pipe = directory.appendingPathComponent("pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let exchange = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .file(pipe, appending: false))
            #expect(exchange.names == ["head 200", "end destinationNotWritable"])
        }
    }

    @Test(arguments: ["/dev/full", "/nowhere/file", "/proc/version", "/"])
    func `a file that cannot be written is an error`(path: String) async throws {
        let server = try TestServer { _ in .repeating(Data("ab".utf8), count: 200_000) }
        let exchange = try await transport.exchange(
            HTTPRequest(url: server.url("/")), into: .file(URL(fileURLWithPath: path), appending: true))
        #expect(exchange.names == ["head 200", "end destinationNotWritable"])
    }

    @Test func `streamed content comes in pieces and in order`() async throws {
        let server = try TestServer { _ in .repeating(Data((0..<251).map { UInt8($0) }), count: 1_000_000) }
        let receiver = RecordingReceiver(.stream)

        _ = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        let exchange = try await receiver.exchange()

        #expect(exchange.outcome.bytesReceived == 1_000_000 && exchange.outcome.content.isEmpty)
        #expect(receiver.content == Data((0..<1_000_000).map { UInt8($0 % 251) }))
    }

    @Test func `little content is discarded and the connection kept, much of it ends the transfer`() async throws {
        let server = try TestServer { request in .repeating(Data("ab".utf8), count: request.path == "/small" ? 100 : 50_000_000) }

        let small = try await transport.exchange(HTTPRequest(url: server.url("/small")), into: .discard(limit: 1_000))
        let large = try await transport.exchange(HTTPRequest(url: server.url("/large")), into: .discard(limit: 1_000))
        let next = try await transport.exchange(HTTPRequest(url: server.url("/small")), into: .discard(limit: 1_000))

        #expect([small, large, next].allSatisfy { $0.error == nil && $0.outcome.content.isEmpty })
        #expect(server.requests.map(\.connection) == [0, 0, 1])
    }

    @Test func `the answer to a head can be to cancel`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let exchange = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .cancel)
        #expect(exchange.names == ["head 200", "end cancelled"])
    }

    @Test(arguments: ["", "content"])
    func `a decision that is put off holds the content and the end`(text: String) async throws {
        let server = try TestServer { request in request.path == "/" ? .ok(text) : .ok }
        let receiver = RecordingReceiver(.wait)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await receiver.waitForHead()

        // Another exchange on the same thread: what the first one had to say without a decision, it has said by then.
        _ = try await transport.get(server.url("/other"))
        #expect(receiver.names == ["head 200"])
        control.decide(.wait)
        control.decide(.collect(limit: 100))
        control.decide(.cancel)

        let exchange = try await receiver.exchange()
        #expect(exchange.names == ["head 200", "end well"])
        #expect(exchange.text == text)
        #expect(exchange.outcome.metrics != nil)
    }

    @Test func `a decision can be to discard more than was to be read`() async throws {
        let server = try TestServer { _ in .repeating(Data("x".utf8), count: 200_000_000) }
        let receiver = RecordingReceiver(.wait)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await receiver.waitForHead()
        try await server.waitForStalledResponse()
        control.decide(.discard(limit: 10))
        #expect(try await receiver.exchange().names == ["head 200", "end well"])
        try await server.waitForOpenConnections(atMost: 0)
    }

    @Test func `a decision can be to write where nothing can be written`() async throws {
        let server = try TestServer { _ in .repeating(Data("x".utf8), count: 200_000_000) }
        let receiver = RecordingReceiver(.wait)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await receiver.waitForHead()
        try await server.waitForStalledResponse()
        control.decide(.file(URL(fileURLWithPath: "/dev/full"), appending: true))
        #expect(try await receiver.exchange().names == ["head 200", "end destinationNotWritable"])
        try await server.waitForOpenConnections(atMost: 0)
    }

    @Test func `a decision can be to stream, to write or to cancel`() async throws {
        let server = try TestServer { _ in .ok("content") }
        try await withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("content")
            var receivers: [RecordingReceiver] = []
            for disposition in [ContentDisposition.stream, .file(file, appending: false), .cancel] {
                let receiver = RecordingReceiver(.wait)
                let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
                try await receiver.waitForHead()
                control.decide(disposition)
                _ = try await receiver.exchange()
                receivers.append(receiver)
            }

            #expect(
                receivers.map(\.names) == [["head 200", "content", "end well"], ["head 200", "end well"], ["head 200", "end cancelled"]])
            #expect(receivers[0].content == Data("content".utf8))
            #expect(try Data(contentsOf: file) == Data("content".utf8))
        }
    }

    // MARK: Content codings

    /// `content` in gzip's form, made by the program on a thread that may wait for it.
    private func gzip(_ content: Data) async throws -> Data {
        let result = await callbackValue { callback in
            Thread.detachNewThread {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/gzip")
                process.arguments = ["-c"]
                let input = Pipe()
                let output = Pipe()
                process.standardInput = input
                process.standardOutput = output
                callback(
                    Result {
                        try process.run()
                        Thread.detachNewThread {
                            try? input.fileHandleForWriting.write(contentsOf: content)
                            try? input.fileHandleForWriting.close()
                        }
                        defer { process.waitUntilExit() }
                        return output.fileHandleForReading.readDataToEndOfFile()
                    })
            }
        }
        return try result.get()
    }

    @Test func `content codings are undone unless the caller wants them`() async throws {
        let coded = try await gzip(Data(String(repeating: "hello ", count: 1_000).utf8))
        let server = try TestServer { _ in .ok(coded, fields: ["Content-Encoding": "gzip"]) }
        let request = HTTPRequest(url: server.url("/"), fields: ["Accept-Encoding": transport.acceptedContentCodings ?? ""])

        let decoded = try await transport.exchange(request)
        let raw = try await transport.exchange(request, options: TransferOptions(decodesContent: false))
        let again = try await transport.exchange(request)

        #expect(decoded.text == String(repeating: "hello ", count: 1_000))
        #expect(decoded.outcome.bytesReceived == 6_000 && decoded.outcome.metrics?.contentBytesReceived == Int64(coded.count))
        #expect(raw.outcome.content == coded)
        #expect(again.text == decoded.text)
        #expect(server.requests.allSatisfy { $0.fields.values("Accept-Encoding") == [transport.acceptedContentCodings ?? ""] })
        #expect(transport.acceptedContentCodings?.contains("gzip") == true)
    }

    @Test func `a decompression bomb ends at the limit`() async throws {
        let bomb = try await gzip(Data(count: 20_000_000))
        let server = try TestServer { _ in .ok(bomb, fields: ["Content-Encoding": "gzip"]) }
        let cautious = CurlTransport.with { $0.limits.decompressionRatio = 50 }

        let byRatio = try await cautious.exchange(HTTPRequest(url: server.url("/")), into: .stream)
        let byLimit = try await transport.exchange(HTTPRequest(url: server.url("/")), into: .collect(limit: 1_000_000))

        #expect(byRatio.error?.kind == .contentTooLarge)
        #expect(byRatio.outcome.bytesReceived < 10_000_000)
        #expect(byLimit.error?.kind == .contentTooLarge)
    }

    @Test func `a coding that is broken is an error`() async throws {
        let server = try TestServer { _ in .ok(Data("this is not gzip at all".utf8), fields: ["Content-Encoding": "gzip"]) }
        #expect(try await transport.get(server.url("/")).error?.kind == .decompressionFailed)
    }

    // MARK: Progress

    @Test func `progress is reported in both directions, if wanted`() async throws {
        let server = try TestServer { _ in .repeating(Data("ab".utf8), count: 500_000) }
        let body = HTTPBody(Data(repeating: 1, count: 1_000_000))
        let receiver = RecordingReceiver(.collect(limit: 1 << 20))
        let request = HTTPRequest(method: "PUT", url: server.url("/"), body: body)

        _ = transport.start(request, options: TransferOptions(reportsProgress: true), receiver: receiver)
        let exchange = try await receiver.exchange()

        let steps: [TransferProgress] = exchange.events.compactMap { if case .progress(let step) = $0 { step } else { nil } }
        #expect(
            steps.last == TransferProgress(bytesSent: 1_000_000, bytesToSend: 1_000_000, bytesReceived: 500_000, bytesToReceive: 500_000))
        #expect(steps.count > 4)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.bytesSent <= $1.bytesSent && $0.bytesReceived <= $1.bytesReceived })
        let quiet = try await transport.exchange(request)
        #expect(quiet.names == ["head 200", "end well"])
    }
}
#endif

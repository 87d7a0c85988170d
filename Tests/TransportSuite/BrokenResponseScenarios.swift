// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let brokenResponses: [TransportScenario] = [
        TransportScenario("content that ends too early is an error that keeps what came") { fixture in
            fixture.server.enqueue(.ok("hello").declaringLength(10))
            let outcome = await fixture.start().outcome()
            #expect(outcome.error?.kind == .truncatedContent)
            #expect(outcome.content == Data("hello".utf8))
        },
        TransportScenario("chunks without a last one are an error") { fixture in
            fixture.server.enqueue(ScriptedResponse(200, content: .chunks(["hello"], isTerminated: false)).closing())
            let kind = await fixture.start().failure()
            #expect(kind == .truncatedContent || kind == .connectionLost)
        },
        TransportScenario("content beyond its length is dropped, and the connection with it") { fixture in
            fixture.server.enqueue(.ok("hello, world").declaringLength(5).closing(), .ok("next"))
            #expect(await fixture.start().content() == "hello")
            #expect(await fixture.start().content() == "next")
            #expect(fixture.server.connectionCount == 2)
        },
        TransportScenario("a connection that closes without a response is an error") { fixture in
            fixture.server.enqueue(.close)
            #expect(await fixture.start().failure() == .noResponse)
        },
        TransportScenario("a reset is an error in every phase") { fixture in
            let response = ScriptedResponse.ok(pattern(100_000))
            let phases: [ExchangePhase] = [
                .requestHead, .requestBody(1), .responseStart, .responseHead(5), .responseHeadEnd, .responseBody(50_000),
            ]
            for phase in phases {
                let server = try TestServer { _ in response.reset(at: phase) }
                let kind = await fixture.start(HTTPRequest(method: "POST", url: server.url(), body: HTTPBody(pattern(50_000)))).failure()
                #expect([.connectionLost, .noResponse, .truncatedContent].contains(kind), "reset at \(phase)")
                server.close()
            }
        },
        TransportScenario("a connection that closes in the middle of the head is an error", needs: .strictFraming) { fixture in
            fixture.server.enqueue(.ok("x").closed(at: .responseHead(20)))
            let kind = await fixture.start().failure()
            #expect([.connectionLost, .noResponse, .malformedResponse, .truncatedContent].contains(kind))
        },
        TransportScenario("nobody listening is an error") { fixture in
            let port = try UnusedPort()
            #expect(await fixture.start(HTTPRequest(url: port.url())).failure() == .connectFailed)
            withExtendedLifetime(port) {}
        },
        TransportScenario("a host that has no address is an error") { fixture in
            let url = try #require(URL(string: "http://no-such-host.invalid/"))
            #expect(await fixture.start(HTTPRequest(url: url)).failure() == .hostNotFound)
        },
        TransportScenario("what is not HTTP is an error") { fixture in
            fixture.server.enqueue(
                .raw("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .raw("HTTP/1.1 abc\r\n\r\n"), .raw("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"))
            for _ in 0..<3 { #expect(await fixture.start().failure() == .malformedResponse) }
        },
        TransportScenario("chunks that are none are an error") { fixture in
            fixture.server.enqueue(
                .chunked([ScriptedResponse.Chunk(Data("hello".utf8), sizeLine: "zz")]).closing())
            #expect(await fixture.start().failure() == .malformedResponse)
        },
        TransportScenario("a head of a megabyte is an error") { fixture in
            fixture.server.enqueue(
                .raw("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "a", count: 1 << 20))\r\n\r\n"),
                .raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X-Field: \(String(repeating: "a", count: 1000))\r\n", count: 1000) + "\r\n")
            )
            for _ in 0..<2 { #expect(await fixture.start().failure() == .headTooLarge) }
        },
        TransportScenario("lengths that contradict each other are an error") { fixture in
            fixture.server.enqueue(
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))
            for _ in 0..<2 { #expect(await fixture.start().failure() == .conflictingContentLength) }
        },
        TransportScenario("the same length twice is no contradiction") { fixture in
            fixture.server.enqueue(.raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"))
            #expect(await fixture.start().content() == "abc")
        },
        TransportScenario("a content coding that cannot be undone is an error") { fixture in
            fixture.server.enqueue(.ok("this is not gzip", fields: ["Content-Encoding": "gzip"]))
            #expect(await fixture.start().failure() == .decompressionFailed)
        },
        TransportScenario("a decompression bomb is an error before it has grown", configuration: limitingDecompression(to: 20)) { fixture in
            fixture.server.enqueue(.ok(gzipBomb, fields: ["Content-Encoding": "gzip"]))
            let exchange = fixture.start(recorder: TransferRecorder(.discard(limit: .max)))
            let outcome = await exchange.outcome()
            #expect(outcome.error?.kind == .contentTooLarge)
            #expect(outcome.bytesReceived < 16 << 20)
        },
    ]

    private static func limitingDecompression(to ratio: Int) -> TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.limits.decompressionRatio = ratio
        return configuration
    }

    /// 32 MiB of zeros in 200 KiB, written by hand, since nothing here compresses: a literal zero, then matches of length 258 and distance 1
    /// in deflate's fixed codes (RFC 1951, 3.2.6).
    private static var gzipBomb: Data {
        var bits = BitWriter()
        bits.append(0b1, count: 1)
        bits.append(0b01, count: 2)
        bits.appendCode(0b0011_0000, count: 8)
        let matches = (32 << 20) / 258
        for _ in 0..<matches {
            bits.appendCode(0b1100_0101, count: 8)
            bits.appendCode(0, count: 5)
        }
        bits.appendCode(0, count: 7)
        return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + bits.bytes + Data(count: 8)
    }
}

/// Bits in deflate's order (RFC 1951, 3.1.1).
private struct BitWriter {
    private(set) var bytes = Data()
    private var bitCount = 0

    /// A number, least significant bit first.
    mutating func append(_ value: Int, count: Int) {
        for bit in 0..<count { append(bit: value >> bit & 1) }
    }

    /// A Huffman code, most significant bit first.
    mutating func appendCode(_ code: Int, count: Int) {
        for bit in (0..<count).reversed() { append(bit: code >> bit & 1) }
    }

    private mutating func append(bit: Int) {
        if bitCount % 8 == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= UInt8(bit << (bitCount % 8))
        bitCount += 1
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

/// What somebody else's client makes of the server: curl's command line, where there is one.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: CurlTool.path), "curl is not installed"), .timeLimit(.minutes(1)))
struct CurlToolTests {
    @Test func `curl gets, posts and follows`() async throws {
        let server = try TestServer.api()

        let got = try await CurlTool.run("-sS", "-L", server.url(LoopbackRoute.redirect.target("3")).absoluteString)
        #expect(got.contains("\"url\":\"http://127.0.0.1:\(server.port)/get\""))
        let posted = try await CurlTool.run(
            "-sS", "-F", "a=1", "-F", "b=x;filename=f.txt", server.url(LoopbackRoute.multipart.target()).absoluteString)
        #expect(posted.contains("{\"name\":\"b\",\"filename\":\"f.txt\""))
        let cookies = try await CurlTool.run("-sS", "-L", "-c", "-", "-b", "x=y", server.url("/cookies/set?a=1").absoluteString)
        #expect(cookies.contains("\"a\":\"1\""))
        #expect(server.protocolViolations.isEmpty)
    }

    // Not SHA-512-256: for that name curl before 8.9 computes SHA-256.
    @Test(arguments: ["auth", "auth,auth-int", "none"], ["MD5", "SHA-256"])
    func `curl answers a Digest challenge`(qop: String, algorithm: String) async throws {
        let server = try TestServer.api()
        let url = server.url(LoopbackRoute.digestAuthWithAlgorithm.target(qop, "ada", "se cret", algorithm)).absoluteString

        let right = try await CurlTool.run("-sS", "--digest", "-u", "ada:se cret", url, url)
        let wrong = try await CurlTool.run("-sS", "-o", "/dev/null", "-w", "%{http_code}", "--digest", "-u", "ada:secret", url)

        #expect(right == String(repeating: "{\"authenticated\":true,\"user\":\"ada\"}", count: 2))
        #expect(wrong == "401")
    }

    @Test func `a stale nonce is replaced`() async throws {
        let server = try TestServer.api()
        let url = server.url(LoopbackRoute.digestAuth.target("auth", "ada", "secret", query: "stale_after=1")).absoluteString

        let bodies = try await CurlTool.run("-sS", "--digest", "-u", "ada:secret", url, url)

        #expect(bodies == String(repeating: "{\"authenticated\":true,\"user\":\"ada\"}", count: 2))
        #expect(server.requestCount == 4)
    }

    @Test(arguments: [LoopbackRoute.gzip, .deflate])
    func `compressed content is well formed`(route: LoopbackRoute) async throws {
        let server = try TestServer.api()

        let body = try await CurlTool.run(
            "-sS", "--compressed", "-H", "X-Long: \(String(repeating: "v", count: 70_000))", server.url(route.target()).absoluteString)

        #expect(body.hasPrefix("{\"coding\":\"\(route == .gzip ? "gzip" : "deflate")\"") && body.hasSuffix("\"method\":\"GET\"}"))
    }

    @Test func `curl accepts trailers, interim heads and Expect`() async throws {
        let server = try TestServer()
        server.enqueue(ScriptedResponse.chunked(["a", "b"], trailers: ["X-T": "1"]).interim(103, fields: ["Link": "</x>"]), .ok("done"))
        let url = server.url().absoluteString

        #expect(try await CurlTool.run("-sS", url) == "ab")
        #expect(try await CurlTool.run("-sS", "-H", "Expect: 100-continue", "-d", "body", url) == "done")
        #expect(server.requests[1].bodyText == "body")
    }
}

enum CurlTool {
    static let path = "/usr/bin/curl"

    static func run(_ arguments: String...) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--noproxy", "*", "--max-time", "20"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let reading = Kept(output.fileHandleForReading)
        let data = await RawClient.blocking { reading.value.readDataToEndOfFile() }
        return String(decoding: data, as: UTF8.self)
    }
}

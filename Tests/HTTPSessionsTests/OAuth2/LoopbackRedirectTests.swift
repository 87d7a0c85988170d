// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

@Suite(.timeLimit(.minutes(1)))
struct LoopbackRedirectTests {
    private func redirect(_ path: String = "/callback") throws -> LoopbackRedirect {
        try LoopbackRedirect(try #require(URL(string: "http://127.0.0.1:0\(path)")))
    }

    private func get(_ target: String, _ redirect: LoopbackRedirect, host: String? = nil) -> String {
        "GET \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(redirect.port)")\r\n\r\n"
    }

    @Test func `the redirect ends the wait, and the browser is shown a plain page`() async throws {
        let redirect = try redirect()
        let targets = EventRecorder<String?>()
        redirect.wait { targets.record($0) }
        let url = try #require(URL(string: "http://127.0.0.1:\(redirect.port)/callback?code=%3Cscript%3E&state=s"))
        let response = await Session.response(from: url)
        #expect(response.response?.statusCode == 200)
        #expect(response.response?.value(forHTTPHeaderField: "Content-Type") == "text/html; charset=utf-8")
        #expect(response.response?.value(forHTTPHeaderField: "Content-Security-Policy") == "default-src 'none'")
        #expect(response.response?.value(forHTTPHeaderField: "Cache-Control") == "no-store")
        let page = try #require(response.value)
        #expect(page.hasPrefix("<!doctype html>"))
        #expect(page.contains("<p>You can close this window and go back to the program.</p>"))
        #expect(!page.contains("script"))
        #expect(try await targets.wait(for: 1) == ["/callback?code=%3Cscript%3E&state=s"])
    }

    @Test func `a refusal is shown with its text escaped`() async throws {
        let redirect = try redirect("/")
        redirect.wait { _ in
            .refused("<script>alert('&\"')</script>")
        } _: { _ in
        }
        let caller = try LoopbackConnection(to: redirect.port)
        caller.send(get("/?error=x", redirect))
        let answer = await caller.answer()
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains("<p>&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;</p>"))
        #expect(!answer.contains("<script"))
    }

    @Test func `strangers and favicons get an answer and change nothing`() async throws {
        let redirect = try redirect()
        let targets = EventRecorder<String?>()
        redirect.wait { targets.record($0) }
        let requests = [
            (get("/favicon.ico", redirect), "404"), (get("/", redirect), "404"), (get("/callback/x?code=c", redirect), "404"),
            (get("/callback?code=c", redirect, host: "evil.example"), "404"),
            (get("/callback?code=c", redirect, host: "127.0.0.1:1"), "404"),
            (get("/callback?code=c", redirect).replacing("GET", with: "POST"), "405"),
            ("GET /callback HTTP/1.1\r\n\r\n", "400"), ("GET /callback HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
            ("GET http://127.0.0.1/callback HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "400"), ("\u{0}\u{1}\r\n\r\n", "400"),
            ("\r\n\r\n", "400"), ("GET /callback\r\n\r\n", "400"), (String(repeating: "x", count: 16_384), "400"),
        ]
        for (request, status) in requests {
            let caller = try LoopbackConnection(to: redirect.port)
            caller.send(request)
            let answer = await caller.answer()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(40).debugDescription)")
        }
        #expect(targets.events.isEmpty)

        let caller = try LoopbackConnection(to: redirect.port)
        caller.send(get("/callback?code=c", redirect))
        #expect(await caller.answer().hasPrefix("HTTP/1.1 200 "))
        #expect(try await targets.wait(for: 1) == ["/callback?code=c"])
    }

    @Test func `connections that send nothing, or a little at a time, hold up nobody`() async throws {
        let redirect = try redirect()
        let targets = EventRecorder<String?>()
        redirect.wait { targets.record($0) }
        let silent = try (0..<40).map { _ in try LoopbackConnection(to: redirect.port) }
        let gone = try LoopbackConnection(to: redirect.port)
        gone.send("GET /callb")
        _ = consume gone
        let caller = try LoopbackConnection(to: redirect.port)
        for character in get("/callback?code=c", redirect) { caller.send(String(character)) }
        #expect(await caller.answer().hasPrefix("HTTP/1.1 200 "))
        #expect(try await targets.wait(for: 1) == ["/callback?code=c"])
        withExtendedLifetime(silent) {}
    }

    @Test func `a second call is told that it is over, and counts for nothing`() async throws {
        let redirect = try redirect()
        let targets = EventRecorder<String?>()
        let callers = try (0..<3).map { number in
            let caller = try LoopbackConnection(to: redirect.port)
            caller.send(get("/callback?code=\(number)", redirect))
            return caller
        }
        // All are there before the first is answered.
        redirect.wait { targets.record($0) }
        var statuses: [String] = []
        for caller in callers { statuses.append(String(await caller.answer().prefix(12))) }
        #expect(statuses.sorted() == ["HTTP/1.1 200", "HTTP/1.1 410", "HTTP/1.1 410"])
        #expect(try await targets.wait(for: 1).count == 1)
        // Later ones find nobody.
        #expect(throws: LoopbackConnection.Failure.self) { try LoopbackConnection(to: redirect.port) }
        #expect(targets.events.count == 1)
    }

    @Test func `stopping ends the wait, before and after it began`() async throws {
        let targets = EventRecorder<String?>()
        let first = try redirect()
        first.stop()
        first.wait { targets.record($0) }
        #expect(try await targets.wait(for: 1) == [nil])
        let second = try redirect()
        second.wait { targets.record($0) }
        second.stop()
        #expect(try await targets.wait(for: 2) == [nil, nil])
    }

    @Test(arguments: ["https://127.0.0.1/", "http://example.com/", "http://0.0.0.0/", "com.example:/callback"])
    func `only a redirect to this machine is waited for`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: LoopbackRedirect.Failure.self) { try LoopbackRedirect(url) }
    }

    @Test func `a port that is taken is an error that says so`() throws {
        let taken = try redirect()
        let url = try #require(URL(string: "http://127.0.0.1:\(taken.port)/"))
        let error = #expect(throws: LoopbackRedirect.Failure.self) { try LoopbackRedirect(url) }
        #expect(error?.description.contains("listening on port \(taken.port)") == true)
    }

    /// Heads with bytes changed, cut and doubled.
    @Test(arguments: Seeds.kept + Seeds.fresh(count: 200))
    func `any bytes are a request or none, and never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array("GET /callback?code=c&state=s HTTP/1.1\r\nHost: 127.0.0.1:80\r\nAccept: */*\r\n\r\n".utf8)
        for _ in 0..<Int.random(in: 0..<8, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(index...)
            case 2: bytes.insert(contentsOf: Array(" :\r\n\0/?".utf8).shuffled(using: &random).prefix(3), at: index)
            default: bytes.append(contentsOf: bytes[index...].prefix(40))
            }
        }
        guard let request = LoopbackRequest(bytes) else { return }
        #expect(request.target.hasPrefix("/"))
        #expect(HTTPFields.isToken(request.method))
    }
}
#endif

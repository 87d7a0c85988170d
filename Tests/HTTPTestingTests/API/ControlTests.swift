// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ControlTests {
    private let api: LoopbackAPI
    private let clock = TestClock()
    private let server: TestServer
    private let client: RawClient

    init() throws {
        api = LoopbackAPI(clock: clock)
        server = try .api(api)
        client = try RawClient(port: server.port)
    }

    @Test(arguments: [200, 204, 304, 401, 418, 599])
    func `any status can be had`(status: Int) {
        #expect(client.ask("POST", LoopbackRoute.status.target(String(status))).status == status)
    }

    @Test(arguments: ["100", "1000", "x", "-1"])
    func `what is no final status is refused`(status: String) {
        #expect(client.ask("GET", LoopbackRoute.status.target(status)).status == 400)
    }

    @Test func `redirects lead on and end`() {
        #expect(client.ask("GET", LoopbackRoute.redirect.target("2")).fields["Location"] == "/redirect/1")
        #expect(client.ask("GET", LoopbackRoute.redirect.target("1")).fields["Location"] == "/get")
        let elsewhere = client.ask("GET", LoopbackRoute.redirectTo.target(query: "url=http%3A%2F%2Fa%2Fb%3Fc&status_code=308"))
        #expect(elsewhere.status == 308)
        #expect(elsewhere.fields["Location"] == "http://a/b?c")
        #expect(client.ask("GET", LoopbackRoute.redirectTo.target(query: "url=a%0D%0AX%3A1")).status == 400)
    }

    @Test func `fields can be asked for, repeated ones too`() {
        let answer = client.ask("GET", LoopbackRoute.responseHeaders.target(query: "X-A=1&X-A=2"))

        #expect(answer.fields.values("X-A") == ["1", "2"])
        #expect(client.ask("GET", LoopbackRoute.responseHeaders.target(query: "X-A=%0D")).status == 400)
    }

    @Test func `an unstable resource fails as often as told, by key`() {
        let target = LoopbackRoute.unstable.target("k", "2")

        #expect(client.ask("GET", target).fields["Retry-After"] == "1")
        #expect(client.ask("GET", LoopbackRoute.unstable.target("other", "0")).status == 200)
        #expect(client.ask("GET", target).status == 503)
        #expect(client.ask("GET", target).json?["attempts"] as? Int == 3)
    }

    @Test func `a delay waits at its gate, or by the clock`() async throws {
        client.get(LoopbackRoute.delay.target("me"))
        try await api.gate("me").waitForWaiters()
        api.gate("me").open()
        #expect(client.readResponse().head.hasPrefix("HTTP/1.1 200 "))

        client.get(LoopbackRoute.delay.target("1.5"))
        #expect(try await clock.waitForSleeper() == [.milliseconds(1500)])
        clock.advance(by: .milliseconds(1500))
        let kept = Kept(client)
        #expect(await RawClient.blocking { kept.value.readResponse().head }.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `a drip comes by its gate, or by the clock, its head at once`() async throws {
        client.get(LoopbackRoute.drip.target(query: "numbytes=3&gate=tap"))
        #expect(client.read(through: "\r\n\r\n").contains("Content-Length: 3\r\n"))
        api.gate("tap").release()
        #expect(client.read(count: 1) == "*")
        api.gate("tap").release(2)
        #expect(client.read(count: 2) == "**")

        client.get(LoopbackRoute.drip.target(query: "numbytes=2&duration=3"))
        _ = client.read(through: "\r\n\r\n")
        for _ in 0..<2 {
            let kept = Kept(client)
            #expect(await RawClient.blocking { kept.value.read(count: 1) } == "*")
            #expect(try await clock.waitForSleeper() == [.milliseconds(1500)])
            clock.advance(by: .milliseconds(1500))
        }
        #expect(client.ask("GET", LoopbackRoute.drip.target(query: "numbytes=0")).status == 400)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContentTests {
    private let server: TestServer
    private let client: RawClient

    init() throws {
        server = try .api()
        client = try RawClient(port: server.port)
    }

    @Test func `bytes follow from their seed`() {
        let one = client.ask("GET", LoopbackRoute.bytes.target("1000", query: "seed=1"))
        #expect(one.fields["Content-Length"] == "1000")
        #expect(one.body == client.ask("GET", LoopbackRoute.bytes.target("1000", query: "seed=1")).body)
        #expect(one.body != client.ask("GET", LoopbackRoute.bytes.target("1000", query: "seed=2")).body)
        #expect(client.ask("GET", LoopbackRoute.bytes.target("0")).fields["Content-Length"] == "0")
        #expect(client.ask("GET", LoopbackRoute.bytes.target("-1")).status == 400)
    }

    @Test(
        arguments: [
            ("bytes=0-3", 206, "abcd", "bytes 0-3/30"), ("bytes=24-", 206, "yzabcd", "bytes 24-29/30"),
            ("bytes=1-9223372036854775807", 206, "bcdefghijklmnopqrstuvwxyzabcd", "bytes 1-29/30"),
            ("bytes=-2", 206, "cd", "bytes 28-29/30"), ("bytes=28-100", 206, "cd", "bytes 28-29/30"), ("bytes=30-", 416, "", "bytes */30"),
            ("bytes=-0", 416, "", "bytes */30"), ("bytes=5-4", 200, "abcdefghijklmnopqrstuvwxyzabcd", nil),
            ("bytes=0-1,3-4", 200, "abcdefghijklmnopqrstuvwxyzabcd", nil), ("lines=0-1", 200, "abcdefghijklmnopqrstuvwxyzabcd", nil),
            ("bytes=x-", 200, "abcdefghijklmnopqrstuvwxyzabcd", nil),
        ] as [(String, Int, String, String?)])
    func `a range is served`(range: String, status: Int, body: String, contentRange: String?) {
        let answer = client.ask("GET", LoopbackRoute.range.target("30"), ["Range": range])

        #expect(answer.status == status)
        #expect(answer.body == body)
        #expect(answer.fields["Content-Range"] == contentRange)
        #expect(answer.fields["ETag"] == "\"range-30\"")
    }

    @Test func `a range of something that has changed is the whole`() {
        let fields: FieldList = ["Range": "bytes=0-3", "If-Range": "\"other\""]

        #expect(client.ask("GET", LoopbackRoute.range.target("30"), fields).status == 200)
    }

    @Test func `a stream is a line a chunk`() {
        let answer = client.ask("GET", LoopbackRoute.stream.target("3"))

        #expect(
            answer.body
                == (0..<3).map { "{\"id\":\($0),\"url\":\"http://host/stream/3\"}\n" }.joined())
    }

    @Test func `an entity tag is honoured`() {
        #expect(client.ask("GET", LoopbackRoute.etag.target("v1")).status == 200)
        #expect(client.ask("GET", LoopbackRoute.etag.target("v1"), ["If-None-Match": "\"v0\", W/\"v1\""]).status == 304)
        #expect(client.ask("GET", LoopbackRoute.etag.target("v1"), ["If-None-Match": "\"v0\""]).status == 200)
        #expect(client.ask("GET", LoopbackRoute.cache.target("60")).fields["Cache-Control"] == "public, max-age=60")
        #expect(client.ask("GET", LoopbackRoute.cache.target("60"), ["If-None-Match": "\"cache\""]).status == 304)
    }

    @Test func `cookies are set, told and deleted`() {
        let set = client.ask("GET", LoopbackRoute.setCookies.target(query: "a=1&b=2"))
        #expect(set.status == 302)
        #expect(set.fields.values("Set-Cookie") == ["a=1; Path=/", "b=2; Path=/"])
        #expect(set.fields["Location"] == "/cookies")
        #expect(client.ask("GET", "/cookies", ["Cookie": "a=1; b=x=y"]).json == ["cookies": ["a": "1", "b": "x=y"]])
        #expect(
            client.ask("GET", LoopbackRoute.deleteCookies.target(query: "a")).fields.values("Set-Cookie") == ["a=; Path=/; Max-Age=0"])
        #expect(client.ask("GET", LoopbackRoute.setCookies.target(query: "a=1%3B%20Secure")).status == 400)
    }
}

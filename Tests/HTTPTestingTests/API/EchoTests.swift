// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EchoTests {
    private let server: TestServer
    private let client: RawClient

    init() throws {
        server = try .api()
        client = try RawClient(port: server.port)
    }

    @Test func `get tells what came`() {
        let answer = client.ask("GET", LoopbackRoute.get.target(query: "a=1&b=x+y&b=%C3%A9"), ["X-One": "\"1\""])

        #expect(answer.fields["Content-Type"] == "application/json")
        #expect(
            answer.json == [
                "args": ["a": "1", "b": ["x y", "é"]], "headers": ["Host": "host", "X-One": "\"1\""],
                "url": "http://host/get?a=1&b=x+y&b=%C3%A9",
            ])
    }

    @Test(arguments: [("POST", LoopbackRoute.post), ("PUT", .put), ("PATCH", .patch), ("DELETE", .delete), ("OPTIONS", .anything)])
    func `content is echoed as text, form and JSON`(method: String, route: LoopbackRoute) {
        let json = client.ask(method, route.target(), ["Content-Type": "application/json"], body: #"{"a":[1,null]}"#).json
        #expect(json?["data"] as? String == #"{"a":[1,null]}"#)
        #expect(json?["json"] as? NSDictionary == ["a": [1, NSNull()]])

        let form = client.ask(method, route.target(), ["Content-Type": "application/x-www-form-urlencoded"], body: "a=1+2&b=%26").json
        #expect(form?["form"] as? NSDictionary == ["a": "1 2", "b": "&"])
        #expect(form?["data"] as? String == "")
    }

    @Test func `the parts of a form are told apart`() {
        let body = """
            preamble
            --b=1
            Content-Disposition: form-data; name="a%22b"

            one\r\n
            --b=1
            Content-Disposition: form-data; name="file"; filename="x \\"y\\".txt"
            Content-Type: text/plain

            --b=
            --b=1--
            epilogue
            """.replacingOccurrences(of: "\r\n", with: "<kept>").replacingOccurrences(of: "\n", with: "\r\n")
            .replacingOccurrences(of: "<kept>", with: "\r\n")

        let parts = client.ask(
            "POST", LoopbackRoute.multipart.target(), ["Content-Type": "multipart/form-data; boundary=\"b=1\""], body: body)

        #expect(
            parts.json?["parts"] as? NSArray == [
                ["name": "a\"b", "filename": NSNull(), "type": NSNull(), "bytes": 5, "text": "one\r\n"] as NSDictionary,
                ["name": "file", "filename": "x \"y\".txt", "type": "text/plain", "bytes": 4, "text": "--b="] as NSDictionary,
            ])
    }

    @Test(arguments: ["--b\r\n\r\nx\r\n--b--", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b", "nothing", "--b\n\n--b--"])
    func `a form that is not well formed is refused`(body: String) {
        let answer = client.ask("POST", LoopbackRoute.multipart.target(), ["Content-Type": "multipart/form-data; boundary=b"], body: body)

        #expect(answer.status == 400)
    }

    @Test func `uploads are counted`() {
        let answer = client.ask("PUT", LoopbackRoute.upload.target(), ["Content-Type": "a/b"], body: String(repeating: "x", count: 100_000))

        #expect(answer.json == ["bytes": 100_000, "type": "a/b"])
    }

    @Test func `an unknown path is 404, a wrong method 405`() {
        #expect(client.ask("GET", "/nowhere").status == 404)
        #expect(client.ask("GET", "/get/more").status == 404)
        let wrong = client.ask("PUT", LoopbackRoute.get.target())
        #expect(wrong.status == 405)
        #expect(wrong.fields["Allow"] == "GET, HEAD")
        #expect(client.ask("HEAD", LoopbackRoute.get.target()).status == 200)
    }

    @Test func `control characters are escaped in JSON`() {
        let json = client.ask("GET", LoopbackRoute.get.target(query: "a=%00%1f%22%5C%0A%09%0D")).json

        #expect(json?["args"] as? NSDictionary == ["a": "\u{0}\u{1f}\"\\\n\t\r"])
    }

    @Test func `a route's target holds its values escaped, and is matched again`() {
        #expect(LoopbackRoute.basicAuth.target("a b", "c/d?é") == "/basic-auth/a%20b/c%2Fd%3F%C3%A9")
        #expect(client.ask("GET", LoopbackRoute.user.target("a/b c")).json?["login"] as? String == "a/b c")
    }

    @Test func `the code host's API lists repositories`() {
        let repositories = client.ask("GET", LoopbackRoute.repositories.target("ada")).body
        #expect(repositories.contains("\"full_name\":\"ada/lighthouse\""))
        #expect(client.ask("GET", LoopbackRoute.repositories.target("nobody")).status == 404)
        #expect(!client.ask("GET", LoopbackRoute.zen.target()).body.isEmpty)
    }
}

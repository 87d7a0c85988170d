// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct CURLCommandTests {
    private func command(
        _ url: String = "https://example.com/a?b=c", method: HTTPMethod = .get, headers: HTTPHeaders? = nil, body: String? = nil
    ) throws -> CURLCommand {
        var request = try URLRequest(url: url, method: method, headers: headers)
        request.httpBody = body.map { Data($0.utf8) }
        return CURLCommand(request: request)
    }

    private func lines(_ command: CURLCommand, redacting: Bool = true) -> [String] {
        command.text(redacting: redacting).components(separatedBy: " \\\n\t")
    }

    private func cookie(_ name: String, _ value: String) throws -> HTTPCookie {
        try #require(HTTPCookie(properties: [.name: name, .value: value, .domain: "example.com", .path: "/"]))
    }

    @Test func `a plain request is four lines`() throws {
        #expect(
            try command().text() == "$ curl -v \\\n\t-X GET \\\n\t\"https://example.com/a?b=c\"")
    }

    @Test func `everything comes in its order`() throws {
        var command = try command(method: .post, headers: ["X-Own": "2", "Cookie": "own=1"], body: #"{"a":"b"}"#)
        command.sessionHeaders = ["User-Agent": "agent", "x-own": "1", "Cookie": "session=1"]
        command.credential = URLCredential(user: "user", password: "password", persistence: .none)
        command.cookies = [try cookie("one", "1"), try cookie("two", "2")]

        #expect(
            lines(command, redacting: false) == [
                "$ curl -v", "-X POST", "-u user:password", #"-b "one=1;two=2""#, #"-H "User-Agent: agent""#, #"-H "X-Own: 2""#,
                #"-d "{\"a\":\"b\"}""#, #""https://example.com/a?b=c""#,
            ])
    }

    @Test func `secrets are left out unless asked for`() throws {
        var command = try command(
            "https://user:hunter2@example.com/a",
            headers: [
                "Authorization": "Bearer hunter2", "proxy-authorization": "hunter2", "Set-Cookie": "hunter2", "Cookie": "hunter2",
                "Accept": "a/b",
            ])
        command.sessionHeaders = [.authorization(bearerToken: "hunter2")]
        command.credential = URLCredential(user: "user", password: "hunter2", persistence: .none)
        command.cookies = [try cookie("id", "hunter2")]

        #expect(
            lines(command) == [
                "$ curl -v", "-X GET", #"-u "user:<redacted>""#, #"-b "id=<redacted>""#, #"-H "Authorization: <redacted>""#,
                #"-H "Accept: a/b""#,
                #"-H "proxy-authorization: <redacted>""#, #"-H "Set-Cookie: <redacted>""#, #""https://example.com/a""#,
            ])
        #expect(lines(command, redacting: false).filter { $0.contains("hunter2") }.count == 6)
    }

    @Test(arguments: [
        (#"plain"#, #"plain"#), (#"say "hi""#, #"say \"hi\""#), (#"{"a":"\"b\""}"#, #"{\"a\":\"\\\"b\\\"\"}"#),
        (#"line\nbreak"#, #"line\nbreak"#),
        (#"$HOME `id`"#, #"\$HOME \`id\`"#), (#"end\"#, #"end\\"#), (#"\\"#, #"\\\\"#), ("é\r\n", "é\r\n"), ("", ""),
    ])
    func `a shell reads the body as it is`(body: String, quoted: String) throws {
        #expect(lines(try command(method: .post, body: body)).contains("-d \"\(quoted)\""))
    }

    @Test func `what a shell gives back is what was sent`() throws {
        let body = #"a "quoted" \"twice\" \\ $HOME `id` \n '"# + "\n\\"
        let line = try #require(lines(try command(method: .post, body: body)).first { $0.hasPrefix("-d ") })

        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "printf %s \(line.dropFirst(3))"]
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()

        #expect(String(decoding: printed, as: UTF8.self) == body)
    }

    @Test func `a body that is not text is named by its length`() throws {
        var command = try command(method: .put)
        command.request?.httpBody = Data([0xFF, 0xFE, 0x00])

        #expect(lines(command).contains(#"--data-binary "<3 bytes that are not text>""#))
    }

    @Test func `without a request or a host there is one line`() throws {
        for text in [CURLCommand(request: nil).text(), try command("file:///etc/passwd").text(), try command("relative").text()] {
            #expect(text.hasPrefix("$ curl"))
            #expect(!text.contains("\n"))
        }
    }

    @Test func `words that a shell would take apart are quoted`() throws {
        var command = try command(method: HTTPMethod(rawValue: "X; rm"))
        command.credential = URLCredential(user: "a b", password: "c$d", persistence: .none)

        #expect(lines(command, redacting: false)[1...2] == [#"-X "X; rm""#, #"-u "a b:c\$d""#])
    }
}

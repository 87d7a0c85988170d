// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ReceivedResponseTests {
    private let url = URL(string: "http://a.test/a/b.txt")!

    @Test func `Foundation's response is made once`() {
        let response = ReceivedResponse(head: HTTPResponseHead(status: 200, fields: ["X-A": "1"]), url: url)

        #expect(response.urlResponse === response.urlResponse)
        #expect(response.urlResponse.statusCode == 200)
        #expect(response.urlResponse.url == url)
    }

    @Test func `fields of one name in several spellings are joined in order`() {
        let head = HTTPResponseHead(status: 200, fields: ["X-A": "1", "x-a": "2", "X-B": "3", "X-A": "4"])

        let response = ReceivedResponse(head: head, url: url).urlResponse

        #expect(response.value(forHTTPHeaderField: "X-A") == "1, 2, 4")
        #expect(response.headers["x-b"] == "3")
    }

    /// What Foundation reads by itself when its response is made, put together at random.
    @Test(arguments: Seeds.kept + Seeds.fresh(count: 200))
    func `no field of a server's keeps Foundation's response from being made`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "attachment", "inline", ";", ";;", "=", "filename", "filename*", "\"", "\\\"", "\\", "UTF-8''", "%", "%zz", "/", "../", " ",
            "\t", ",",
            "text", "/", "html", "charset", "utf-8", "'", "\u{e9}", "\u{0}", "\u{1F600}", "boundary", "-1", "99999999999999999999", "0x10",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...8, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }

        var fields = HTTPFields()
        for name in ["Content-Type", "Content-Disposition", "Content-Length", "Content-Encoding", "", "X", "Location"] {
            fields.append(name: name, value: text())
        }
        let head = HTTPResponseHead(status: Int.random(in: -1...1000, using: &generator), fields: fields)
        let response = ReceivedResponse(head: head, url: url).urlResponse

        #expect(response.statusCode == head.status)
        let name = SuggestedFilename.of(response)
        #expect(!name.isEmpty && !name.contains("/") && name != "..")
        #expect(response.expectedContentLength >= -1)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct ResumePointTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// Four bytes of a file of ten, left by a response with these validators.
    private func withPoint(
        _ validators: [String] = ["ETag: \"v1\""], _ body: (ResumePoint) throws -> Void
    ) throws {
        let file = TemporaryFile.next()
        try Data("0123".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = URLRequest(url: try #require(URL(string: "https://example.com/file")))
        let left = try #require(ResumePoint(request: request, response: head(200, validators + ["Accept-Ranges: bytes"]), fileURL: file))
        try body(try ResumePoint(try #require(left.encoded)))
    }

    private func head(_ status: Int, _ lines: [String]) -> HTTPResponseHead {
        HTTPResponseHead(status: status, version: .http1_1, fieldLines: Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    @Test(arguments: [
        ["Content-Range: bytes 4-9/10"], ["content-range: BYTES 4-9/10"], ["Content-Range: bytes 4-9/*"],
        ["Content-Range: bytes 4-9/10", "ETag: \"v1\""],
        ["Content-Range: bytes 4-9/10", "Content-Length: 6", "Content-Encoding: identity"],
    ])
    func `the rest of the same content goes on`(lines: [String]) throws {
        try withPoint { #expect($0.fit(of: head(206, lines)) == .continues) }
    }

    @Test(arguments: [
        // Nothing that says which part it is, or another part.
        [], ["Content-Range: bytes 0-9/10"], ["Content-Range: bytes 5-9/10"], ["Content-Range: bytes 44-9/10"],
        ["Content-Range: items 4-9/10"], ["Content-Range: bytes */10"], ["Content-Range: bytes 4-"], ["Content-Range: bytes 4-x/10"],
        ["Content-Range: bytes 4-9"], ["Content-Range: bytes 4--9/10"], ["Content-Range: bytes 4-9/99999999999999999999"],
        // Less than the rest, or more than there is: the file would count as complete.
        ["Content-Range: bytes 4-6/10"], ["Content-Range: bytes 4-9/9"], ["Content-Range: bytes 4-3/10"],
        ["Content-Range: bytes 4-9/10", "Content-Length: 3"],
        // Of another version, though the condition asked for the whole then.
        ["Content-Range: bytes 4-9/10", "ETag: \"v2\""], ["Content-Range: bytes 4-9/10", "ETag: W/\"v1\""],
        // In a coding that was not asked for.
        ["Content-Range: bytes 4-9/10", "Content-Encoding: gzip"],
    ])
    func `another part, and a part of something else, does not fit`(lines: [String]) throws {
        try withPoint { #expect($0.fit(of: head(206, lines)) == .isMismatched) }
    }

    @Test func `a part that was changed since the date of the first does not fit`() throws {
        let lines = ["Last-Modified: \(Self.date)", "Date: Sun, 06 Nov 1994 08:49:38 GMT"]
        try withPoint(lines) { point in
            #expect(point.fit(of: head(206, ["Content-Range: bytes 4-9/10", "Last-Modified: \(Self.date)"])) == .continues)
            #expect(point.fit(of: head(206, ["Content-Range: bytes 4-9/10"])) == .continues)
            let other = "Last-Modified: Sun, 06 Nov 1994 09:00:00 GMT"
            #expect(point.fit(of: head(206, ["Content-Range: bytes 4-9/10", other])) == .isMismatched)
        }
    }

    @Test func `resume data names a file of its own, neither a folder nor a link`() throws {
        let manager = FileManager.default
        let folder = TemporaryFile.next()
        try manager.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? manager.removeItem(at: folder) }
        let kept = folder.appendingPathComponent("kept")
        try Data("kept".utf8).write(to: kept)
        let link = TemporaryFile.next()
        try manager.createSymbolicLink(at: link, withDestinationURL: kept)
        defer { try? manager.removeItem(at: link) }

        for file in [folder, link] {
            let size = try #require(try manager.attributesOfItem(atPath: file.path)[.size] as? NSNumber).int64Value
            let record = """
                {"version":1,"url":"https://example.com/","method":"GET","fields":{},"validator":"\\"a\\"",\
                "file":"\(file.lastPathComponent)","length":\(size)}
                """
            #expect(throws: ResumePoint.Failure.fileIsGone) { try ResumePoint(Data(record.utf8)) }
        }
    }
}

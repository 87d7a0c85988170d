// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPSessions

@Suite final class MultipartFormDataTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("multipart-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func file(_ name: String, _ content: String) throws -> URL {
        let url = directory.appendingPathComponent(name)
        try Data(content.utf8).write(to: url)
        return url
    }

    private func text(_ form: MultipartFormData) throws -> String {
        String(decoding: try form.encode(), as: UTF8.self)
    }

    private func reason(_ error: any Error) -> AFError.MultipartEncodingFailureReason? {
        guard case .multipartEncodingFailed(let reason) = error as? AFError else { return nil }
        return reason
    }

    private func failure(of form: MultipartFormData) -> AFError.MultipartEncodingFailureReason? {
        do {
            _ = try form.encode()
            return nil
        } catch {
            return reason(error)
        }
    }

    @Test func `a form has exactly these bytes`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data("test1".utf8), withName: "test1")
        form.append(Data("{}".utf8), withName: "json", fileName: "a.json", mimeType: "application/json")
        form.append(InputStream(data: Data("stream".utf8)), withLength: 6, name: "s", fileName: "s.bin", mimeType: "a/b")

        #expect(
            try text(form) == """
                --B\r
                Content-Disposition: form-data; name="test1"\r
                \r
                test1\r
                --B\r
                Content-Disposition: form-data; name="json"; filename="a.json"\r
                Content-Type: application/json\r
                \r
                {}\r
                --B\r
                Content-Disposition: form-data; name="s"; filename="s.bin"\r
                Content-Type: a/b\r
                \r
                stream\r
                --B--\r\n
                """)
        #expect(form.contentType == "multipart/form-data; boundary=B")
        #expect(form.contentLength == 13)
    }

    @Test func `a form without parts has no bytes`() throws {
        #expect(try MultipartFormData().encode() == Data())
    }

    @Test func `header fields of the caller's are written in their order`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(
            InputStream(data: Data("x".utf8)), withLength: 1, headers: ["X-One": "1", "Content-Disposition": "form-data; name=\"n\""])

        #expect(try text(form) == "--B\r\nX-One: 1\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nx\r\n--B--\r\n")
    }

    @Test func `names and file names cannot end their field`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data(), withName: "a\"b\r\nX: y", fileName: "c\"\n\0%é.txt")

        #expect(try text(form).contains("name=\"a%22b%0D%0AX: y\"; filename=\"c%22%0A%00%é.txt\"\r\n\r\n"))
    }

    @Test func `a content type or field with a line break is an error`() throws {
        let form = MultipartFormData()
        form.append(Data(), withName: "a", mimeType: "text/plain\r\nX: y")
        guard case .outputStreamWriteFailed = failure(of: form) else {
            Issue.record("encoded")
            return
        }

        let other = MultipartFormData()
        other.append(InputStream(data: Data()), withLength: 0, headers: ["X": "a\nb"])
        #expect(failure(of: other) != nil)
    }

    @Test func `random boundaries differ and need no quotes`() {
        let boundaries = (0..<100).map { _ in MultipartFormData().boundary }

        #expect(Set(boundaries).count == 100)
        for boundary in boundaries {
            #expect(boundary.wholeMatch(of: /[a-z.]+[0-9a-f]{16}/) != nil)
            #expect(boundary.count <= 70)
        }
        var generator = Constant(value: 0xAB)
        #expect(BoundaryGenerator.random(using: &generator).hasSuffix(".00000000000000ab"))
        #expect(MultipartFormData(boundaryGenerator: .constant("X")).boundary == "X")
    }

    private struct Constant: RandomNumberGenerator {
        let value: UInt64

        func next() -> UInt64 { value }
    }

    @Test func `a file gives its name and type`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(try file("photo.JPG", "jpeg"), withName: "p")
        form.append(try file("data.unknownkind", "?"), withName: "u")

        let text = try text(form)
        #expect(text.contains("name=\"p\"; filename=\"photo.JPG\"\r\nContent-Type: image/jpeg\r\n\r\njpeg\r\n"))
        #expect(text.contains("filename=\"data.unknownkind\"\r\nContent-Type: application/octet-stream\r\n\r\n?\r\n"))
        #expect(form.contentLength == 5)
    }

    @Test func `a symbolic link counts as its file`() throws {
        let link = directory.appendingPathComponent("link.txt")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: try file("target.txt", "0123456789"))
        let form = MultipartFormData(boundary: "B")
        form.append(link, withName: "l")

        #expect(form.contentLength == 10)
        #expect(try text(form).contains("\r\n\r\n0123456789\r\n"))
    }

    @Test func `files and data encode to the same bytes each time`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data("one".utf8), withName: "a")
        form.append(try file("two.txt", "two"), withName: "b")

        let first = try form.encode()
        #expect(try form.encode() == first)
        let output = directory.appendingPathComponent("out")
        try form.writeEncodedData(to: output)
        #expect(try Data(contentsOf: output) == first)
    }

    @Test func `what is wrong with a file is said`() throws {
        let missing = directory.appendingPathComponent("missing.txt")
        let noExtension = try file("plain", "")
        let pipe = directory.appendingPathComponent("pipe.txt")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let remote = try "https://user:hunter2@example.com/a.txt?hunter2".asURL()

        let form = { (url: URL) in
            let form = MultipartFormData()
            form.append(url, withName: "f")
            return form
        }

        guard case .bodyPartFileNotReachable(missing) = failure(of: form(missing)),
            case .bodyPartFilenameInvalid(noExtension) = failure(of: form(noExtension)),
            case .bodyPartFileSizeNotAvailable(pipe) = failure(of: form(pipe)),
            case .bodyPartURLInvalid(remote)? = failure(of: form(remote))
        else {
            Issue.record("a reason differs")
            return
        }
        let nested = directory.appendingPathComponent("folder.txt")
        try FileManager.default.createDirectory(at: nested, withIntermediateDirectories: false)
        guard case .bodyPartFileIsDirectory(nested) = failure(of: form(nested)) else {
            Issue.record("a directory was taken for a file")
            return
        }
        let error = AFError.multipartEncodingFailed(reason: .bodyPartURLInvalid(url: remote))
        #expect(!error.localizedDescription.contains("hunter2"))
        #expect(error.url == remote)
    }

    @Test func `the first error is the one thrown`() throws {
        let form = MultipartFormData()
        let first = directory.appendingPathComponent("first.txt")
        form.append(first, withName: "a")
        form.append(directory.appendingPathComponent("noextension"), withName: "b")
        form.append(Data(), withName: "c")

        guard case .bodyPartFileNotReachable(first) = failure(of: form) else {
            Issue.record("another error")
            return
        }
    }

    @Test(arguments: [3, 5, 300_000] as [UInt64], [true, false])
    func `a stream of another length than declared is an error, in memory and to a file`(actual: UInt64, toFile: Bool) throws {
        let declared: UInt64 = 4
        let form = MultipartFormData()
        form.append(
            InputStream(data: Data(repeating: 1, count: Int(actual))), withLength: declared, name: "s", fileName: "s", mimeType: "a/b")
        let output = directory.appendingPathComponent("out")

        let error = try #require(throws: AFError.self) {
            if toFile { try form.writeEncodedData(to: output) } else { _ = try form.encode() }
        }

        let length = error.underlyingError as? AFError.UnexpectedInputStreamLength
        #expect(length?.bytesExpected == declared)
        #expect(actual < declared ? length?.bytesRead == actual : (length?.bytesRead ?? 0) > declared)
        #expect(!FileManager.default.fileExists(atPath: output.path))
    }

    @Test func `a file that grew or shrank is an error`() throws {
        let url = try file("a.txt", "1234")
        let form = MultipartFormData()
        form.append(url, withName: "f")

        for content in ["12345", "123"] {
            try Data(content.utf8).write(to: url)
            guard case .inputStreamReadFailed(is AFError.UnexpectedInputStreamLength) = failure(of: form) else {
                Issue.record("\(content) was accepted")
                continue
            }
        }
        try FileManager.default.removeItem(at: url)
        guard case .bodyPartInputStreamCreationFailed(url) = failure(of: form) else {
            Issue.record("a removed file was accepted")
            return
        }
    }

    @Test func `a stream that cannot be read is an error`() throws {
        let stream = try #require(InputStream(url: directory.appendingPathComponent("missing")))
        let form = MultipartFormData()
        form.append(stream, withLength: 4, name: "s", fileName: "s", mimeType: "a/b")

        guard case .inputStreamReadFailed = failure(of: form) else {
            Issue.record("encoded")
            return
        }
    }

    @Test func `lengths past what a message can have are an error and not a trap`() throws {
        let form = MultipartFormData()
        form.append(InputStream(data: Data()), withLength: .max, name: "s", fileName: "s", mimeType: "a/b")
        #expect(failure(of: form) != nil)

        let sum = MultipartFormData()
        for _ in 0..<3 {
            sum.append(InputStream(data: Data()), withLength: UInt64(Int64.max), name: "s", fileName: "s", mimeType: "a/b")
        }
        #expect(sum.contentLength == .max)
        #expect(throws: AFError.self) { try sum.segments() }
    }

    @Test func `a form is not written over a file, nor to what is no file`() throws {
        let form = MultipartFormData()
        form.append(Data("x".utf8), withName: "a")
        let existing = try file("existing", "keep")
        let remote = try "https://example.com/a".asURL()
        let nowhere = directory.appendingPathComponent("no/such/directory")

        let reasons = [existing, remote, nowhere].map { url in
            do {
                try form.writeEncodedData(to: url)
                return nil as AFError.MultipartEncodingFailureReason?
            } catch {
                return reason(error)
            }
        }
        guard case .outputStreamFileAlreadyExists(existing) = reasons[0], case .outputStreamURLInvalid(remote) = reasons[1],
            case .outputStreamCreationFailed(nowhere) = reasons[2]
        else {
            Issue.record("unexpected \(reasons)")
            return
        }
        #expect(try String(contentsOf: existing, encoding: .utf8) == "keep")
    }

    @Test func `segments name the total length and whether they can be sent again`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data("one".utf8), withName: "a")
        form.append(try file("two.txt", "two"), withName: "b")

        let segments = try form.segments()
        #expect(segments.length == Int64(try form.encode().count))
        #expect(segments.isReplayable)

        form.append(InputStream(data: Data("x".utf8)), withLength: 1, headers: [:])
        #expect(try !form.segments().isReplayable)
        #expect(try MultipartFormData().segments().length == 0)
    }
}

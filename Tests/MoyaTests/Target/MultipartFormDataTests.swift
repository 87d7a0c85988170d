// SPDX-License-Identifier: MIT

import HTTPSessions
import Testing

@testable import Moya

@Suite struct MultipartFormDataTests {
    @Test func `a form is its parts, its boundary and its file manager`() {
        let part = MultipartFormBodyPart(provider: .data(Data("a".utf8)), name: "n")

        #expect(MultipartFormData(parts: [part]) == [part])
        #expect(MultipartFormData(parts: [part]).hashValue == MultipartFormData(arrayLiteral: part).hashValue)
        #expect(MultipartFormData(boundary: "b", parts: [part]) != [part])
        #expect(MultipartFormData(fileManager: FileManager(), parts: [part]) != [part])
        #expect(MultipartFormData(parts: []) != [part])
    }

    @Test func `a form's parts become the encoder's`() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("note.txt")
        try Data("file".utf8).write(to: file)
        let form = MultipartFormData(
            boundary: "B",
            parts: [
                MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "plain"),
                MultipartFormBodyPart(provider: .data(Data("2".utf8)), name: "named", fileName: "n.bin"),
                MultipartFormBodyPart(provider: .data(Data("3".utf8)), name: "typed", mimeType: "text/x"),
                MultipartFormBodyPart(provider: .file(file), name: "file"),
                MultipartFormBodyPart(provider: .file(file), name: "half", fileName: "ignored.bin"),
                MultipartFormBodyPart(provider: .file(file), name: "full", fileName: "f.bin", mimeType: "a/b"),
                MultipartFormBodyPart(provider: .stream(InputStream(data: Data("4".utf8)), 1), name: "stream"),
            ])

        let encoder = RequestMultipartFormData(form)
        let text = String(decoding: try encoder.encode(), as: UTF8.self)

        #expect(encoder.contentType == "multipart/form-data; boundary=B")
        let expected = [
            "--B\r\nContent-Disposition: form-data; name=\"plain\"\r\n\r\n1",
            "--B\r\nContent-Disposition: form-data; name=\"named\"; filename=\"n.bin\"\r\n\r\n2",
            "--B\r\nContent-Disposition: form-data; name=\"typed\"\r\nContent-Type: text/x\r\n\r\n3",
            "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"note.txt\"\r\nContent-Type: text/plain\r\n\r\nfile",
            "--B\r\nContent-Disposition: form-data; name=\"half\"; filename=\"note.txt\"\r\nContent-Type: text/plain\r\n\r\nfile",
            "--B\r\nContent-Disposition: form-data; name=\"full\"; filename=\"f.bin\"\r\nContent-Type: a/b\r\n\r\nfile",
            "--B\r\nContent-Disposition: form-data; name=\"stream\"\r\n\r\n4",
            "--B--\r\n",
        ]
        #expect(text == expected.joined(separator: "\r\n"))
    }

    @Test func `only methods whose content is processed support forms`() {
        let all: [Moya.Method] = [.connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace, Method(rawValue: "post")]

        #expect(all.filter(\.supportsMultipart) == [.connect, .patch, .post, .put])
    }
}

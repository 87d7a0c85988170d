// SPDX-License-Identifier: MIT

import ExampleTerminal
import HTTPSessions
import Moya

/// Uploads and downloads with their progress, and cancelling.
struct TransferSteps {
    enum Kind: Sendable {
        case download(bytes: Int, to: URL)
        case uploadFile(URL)
        case form(URL)
        case slow
    }

    struct Transfer: TargetType, Sendable {
        let baseURL: URL
        let kind: Kind

        var path: String {
            switch kind {
            case .download(let bytes, _): "/bytes/\(bytes)"
            case .uploadFile: "/upload"
            case .form: "/multipart"
            case .slow: "/delay/never"
            }
        }

        var method: Moya.Method {
            switch kind {
            case .download, .slow: .get
            case .uploadFile, .form: .post
            }
        }

        var task: Moya.Task {
            switch kind {
            case .download(_, let place): .downloadDestination { _, _ in (place, [.removePreviousFile, .createIntermediateDirectories]) }
            case .uploadFile(let file): .uploadFile(file)
            case .form(let file):
                .uploadMultipartFormData([
                    MultipartFormBodyPart(provider: .data(Data("a day at sea".utf8)), name: "title"),
                    MultipartFormBodyPart(provider: .file(file), name: "log"),
                ])
            case .slow: .requestPlain
            }
        }

        var headers: [String: String]? { nil }
        var validationType: ValidationType { .successCodes }
    }

    private let provider = MoyaProvider<Transfer>()
    private let baseURL: URL

    init(_ baseURL: URL) { self.baseURL = baseURL }

    func run() async throws {
        Terminal.title("Transfers")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "openmoya-demo-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("ship.log")

        let size = 24 << 20
        try await follow("download", .download(bytes: size, to: file))
        try check(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == size, "the whole file")
        Terminal.done("a download with its progress", "\(size >> 20) MiB in \(file.lastPathComponent)")

        let uploaded = try await follow("upload", .uploadFile(file))
        try check(try uploaded.map(Int.self, atKeyPath: "bytes") == size, "every byte counted by the server")
        Terminal.done("an upload with its progress", "\(size >> 20) MiB from the file, read while it was sent")

        try Data("wind from the west\n".utf8).write(to: file)
        let form = try await follow("form", .form(file))
        try check(String(decoding: form.data, as: UTF8.self).contains("ship.log"), "the parts of the form")
        Terminal.done("a multipart form", "a text and a file")

        try await cancelOne()
    }

    @discardableResult
    private func follow(_ label: String, _ kind: Kind) async throws -> Response {
        var response: Response?
        for try await step in provider.requestWithProgress(Transfer(baseURL: baseURL, kind: kind)) {
            Terminal.bar(label, step.progress)
            response = step.response
        }
        guard let response else { throw StepFailure("expected a response at the end of the \(label)") }
        return response
    }

    private func cancelOne() async throws {
        let target = Transfer(baseURL: baseURL, kind: .slow)
        let error: MoyaError? = await withCheckedContinuation { continuation in
            let token = provider.request(target, callbackQueue: .global()) { result in
                if case .failure(let error) = result { continuation.resume(returning: error) } else { continuation.resume(returning: nil) }
            }
            token.cancel()
        }
        guard case .underlying(let underlying, _)? = error, (underlying as? AFError)?.isExplicitlyCancelledError == true else {
            throw StepFailure("expected the cancelled request to say so, got \(String(describing: error))")
        }
        Terminal.done("a request cancelled", "\(underlying.localizedDescription)")
    }
}

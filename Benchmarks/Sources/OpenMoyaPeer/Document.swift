// SPDX-License-Identifier: MIT

import BenchmarkFrame
import Moya

/// A file on the server, and what is to be done with it.
struct Document: TargetType, Sendable {
    /// What is to be done with it.
    enum Use: Sendable {
        case read
        case save(to: URL)
        case upload(URL)
        case uploadAsForm(URL)
    }

    let baseURL: URL
    let path: String
    let use: Use

    /// A file by its whole URL, split as an API's base URL and a path are.
    init(_ text: String, use: Use = .read) throws {
        let url = try URL(argument: text)
        baseURL = url.deletingLastPathComponent()
        path = url.lastPathComponent
        self.use = use
    }

    var method: Moya.Method {
        switch use {
        case .read, .save: .get
        case .upload, .uploadAsForm: .put
        }
    }

    var headers: [String: String]? { nil }
    var sampleData: Data { Data(#"{"id":1024,"login":"octavia"}"#.utf8) }

    var task: Moya.Task {
        switch use {
        case .read: .requestPlain
        case .save(let file): .downloadDestination { _, _ in (file, []) }
        case .upload(let file): .uploadFile(file)
        case .uploadAsForm(let file): .uploadMultipartFormData([MultipartFormBodyPart(provider: .file(file), name: "file")])
        }
    }
}

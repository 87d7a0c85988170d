// SPDX-License-Identifier: MIT

import BenchmarkFrame
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession's asynchronous methods.
@main
struct URLSessionClient: BenchmarkedClient {
    static let name = "urlsession"
    private let session: URLSession

    init(connections: Int?, authority: String?) {
        let configuration = URLSessionConfiguration.ephemeral
        if let connections { configuration.httpMaximumConnectionsPerHost = connections }
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    func get(_ url: String) throws -> Get {
        let url = try URL(argument: url)
        return {
            let (data, response) = try await session.data(for: URLRequest(url: url))
            return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, length: data.count)
        }
    }

    func download(_ url: String, to path: String) async throws -> Bool {
        let (file, _) = try await session.download(from: try URL(argument: url))
        try FileManager.default.moveItem(at: file, to: URL(fileURLWithPath: path))
        return true
    }
}

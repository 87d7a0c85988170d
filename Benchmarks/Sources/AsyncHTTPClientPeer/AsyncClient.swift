// SPDX-License-Identifier: MIT

import BenchmarkFrame

#if AsyncHTTPClient
import AsyncHTTPClient
import NIOSSL

/// AsyncHTTPClient's asynchronous methods, over SwiftNIO.
@main
struct AsyncClient: BenchmarkedClient {
    static let name = "async-http-client"
    private let client: HTTPClient

    init(connections: Int?, authority: String?) {
        var configuration = HTTPClient.Configuration()
        if let connections { configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections }
        if let authority {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func get(_ url: String) -> Get {
        {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
            return Answer(status: Int(response.status.code), length: try await response.body.collect(upTo: 1 << 20).readableBytes)
        }
    }

    func download(_ url: String, to path: String) async throws -> Bool {
        let delegate = try FileDownloadDelegate(path: path)
        let progress = try await client.execute(request: HTTPClient.Request(url: url), delegate: delegate).get()
        return progress.totalBytes == progress.receivedBytes
    }

    func shutDown() async throws { try await client.shutdown() }
}
#else
@main
enum Absent {
    static func main() throws { throw Complaint("built without the trait AsyncHTTPClient") }
}
#endif

// SPDX-License-Identifier: MIT

// The same work as the other programs, with AsyncHTTPClient as a caller would use it; only with the trait `AsyncHTTPClient`.
//
//     AsyncHTTPClientPeer get --url URL --requests N --in-flight C [--ca FILE]
//     AsyncHTTPClientPeer download --url URL --output FILE

import BenchmarkReport

#if AsyncHTTPClient
import AsyncHTTPClient
import NIOSSL

let arguments = try Arguments()
let url = try arguments.text("url")

switch arguments.work {
case "get":
    let requests = try arguments.count("requests")
    let tasks = try arguments.count("in-flight")
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = tasks
    if let authority = arguments.optionalText("ca") {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(authority)
        configuration.tlsConfiguration = tls
    }
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let get: @Sendable () async throws -> (status: UInt, length: Int) = {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        return (response.status.code, try await response.body.collect(upTo: 1 << 20).readableBytes)
    }
    let expected = try await get().length
    let piece: @Sendable () async throws -> Bool = {
        let (status, length) = try await get()
        return status == 200 && length == expected
    }
    _ = await inFlight(tasks, count: tasks * 2 + 200, piece)
    await report(program: "async-http-client", work: "get", inFlight: tasks, count: requests) {
        await inFlight(tasks, count: requests, piece)
    }
    try await client.shutdown()
case "download":
    let delegate = try FileDownloadDelegate(path: try arguments.text("output"))
    let client = HTTPClient(eventLoopGroupProvider: .singleton)
    try await report(program: "async-http-client", work: "download", inFlight: 1, count: 1) {
        let progress = try await client.execute(request: HTTPClient.Request(url: url), delegate: delegate).get()
        return progress.totalBytes == progress.receivedBytes ? 0 : 1
    }
    try await client.shutdown()
default:
    throw Complaint("can do get and download, not \(arguments.work)")
}
#else
throw Complaint("built without the trait AsyncHTTPClient")
#endif

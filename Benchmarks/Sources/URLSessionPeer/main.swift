// SPDX-License-Identifier: MIT

import BenchmarkReport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The same work as the other programs, with URLSession as a caller would use it.
//
//     URLSessionPeer get --url URL --requests N --in-flight C
//     URLSessionPeer download --url URL --output FILE

let arguments = try Arguments()
guard let url = URL(string: try arguments.text("url")) else { throw Complaint("--url is not a URL") }

switch arguments.work {
case "get":
    let requests = try arguments.count("requests")
    let tasks = try arguments.count("in-flight")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = tasks
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    let expected = try await session.data(from: url).0.count
    let piece: @Sendable () async throws -> Bool = {
        let (data, response) = try await session.data(for: URLRequest(url: url))
        return (response as? HTTPURLResponse)?.statusCode == 200 && data.count == expected
    }
    _ = await inFlight(tasks, count: tasks * 2 + 200, piece)
    await report(program: "urlsession", work: "get", inFlight: tasks, count: requests) {
        await inFlight(tasks, count: requests, piece)
    }
case "download":
    let output = URL(fileURLWithPath: try arguments.text("output"))
    try await report(program: "urlsession", work: "download", inFlight: 1, count: 1) {
        let (file, _) = try await URLSession(configuration: .ephemeral).download(from: url)
        try FileManager.default.moveItem(at: file, to: output)
        return 0
    }
default:
    throw Complaint("can do get and download, not \(arguments.work)")
}

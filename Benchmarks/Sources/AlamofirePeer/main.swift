// SPDX-License-Identifier: MIT

// The same work as the other programs, with Alamofire as a caller would use it; only with the trait `Alamofire`.
//
//     AlamofirePeer get --url URL --requests N --in-flight C
//     AlamofirePeer download --url URL --output FILE

import BenchmarkReport

#if Alamofire
import Alamofire
import Foundation

let arguments = try Arguments()
let url = try arguments.text("url")

switch arguments.work {
case "get":
    let requests = try arguments.count("requests")
    let tasks = try arguments.count("in-flight")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = tasks
    configuration.urlCache = nil
    configuration.headers = .default
    let session = Session(configuration: configuration)
    let expected = try await session.request(url).serializingData().value.count
    let piece: @Sendable () async throws -> Bool = {
        let response = await session.request(url).serializingData().response
        return response.response?.statusCode == 200 && response.value?.count == expected
    }
    _ = await inFlight(tasks, count: tasks * 2 + 200, piece)
    await report(program: "alamofire", work: "get", inFlight: tasks, count: requests) {
        await inFlight(tasks, count: requests, piece)
    }
case "download":
    let output = URL(fileURLWithPath: try arguments.text("output"))
    let session = Session(configuration: .ephemeral)
    await report(program: "alamofire", work: "download", inFlight: 1, count: 1) {
        let response = await session.download(url, to: { _, _ in (output, []) }).serializingDownloadedFileURL().response
        return response.response?.statusCode == 200 && response.error == nil ? 0 : 1
    }
default:
    throw Complaint("can do get and download, not \(arguments.work)")
}
#else
throw Complaint("built without the trait Alamofire")
#endif

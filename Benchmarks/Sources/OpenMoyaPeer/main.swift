// SPDX-License-Identifier: MIT

import BenchmarkReport
import Dispatch
import HTTPMessages
import HTTPSessions
import Moya

// The same work as the other programs, with this package as a caller would use it.
//
//     OpenMoyaPeer get --url URL --requests N --in-flight C [--connections C] [--ca FILE]
//     OpenMoyaPeer flood --url URL --requests N --connections C
//     OpenMoyaPeer download --url URL --output FILE
//     OpenMoyaPeer upload --url URL --file FILE
//     OpenMoyaPeer form --url URL --file FILE
//     OpenMoyaPeer stub --requests N

@Sendable func run(_ arguments: Arguments) async throws {
    switch arguments.work {
    case "get":
        let requests = try arguments.count("requests")
        let tasks = try arguments.count("in-flight")
        let target = try Document(arguments.text("url"))
        var configuration = TransportConfiguration()
        configuration.connectionsPerOrigin = try arguments.optionalCount("connections") ?? tasks
        if let authority = arguments.optionalText("ca") { configuration.tls.authorities = .pemFile(URL(fileURLWithPath: authority)) }
        let provider = MoyaProvider<Document>(session: Session(transport: configuration, startRequestsImmediately: false))
        let expected = try await provider.request(target).data.count
        let piece: @Sendable () async throws -> Bool = {
            let response = try await provider.request(target)
            return response.statusCode == 200 && response.data.count == expected
        }
        _ = await inFlight(tasks, count: tasks * 2 + 200, piece)
        await report(program: "openmoya", work: "get", inFlight: tasks, count: requests) {
            await inFlight(tasks, count: requests, piece)
        }
    case "flood":
        try await flood(arguments)
    case "upload", "form":
        let file = URL(fileURLWithPath: try arguments.text("file"))
        let target = try Document(arguments.text("url"), use: arguments.work == "form" ? .uploadAsForm(file) : .upload(file))
        let provider = MoyaProvider<Document>()
        try await report(program: "openmoya", work: arguments.work, inFlight: 1, count: 1) {
            200..<300 ~= (try await provider.request(target).statusCode) ? 0 : 1
        }
    case "download":
        let output = URL(fileURLWithPath: try arguments.text("output"))
        let target = try Document(arguments.text("url"), use: .save(to: output))
        let provider = MoyaProvider<Document>()
        try await report(program: "openmoya", work: "download", inFlight: 1, count: 1) {
            try await provider.request(target).statusCode == 200 ? 0 : 1
        }
    case "stub":
        let requests = try arguments.count("requests")
        let target = try Document("http://127.0.0.1/message.json")
        let provider = MoyaProvider<Document>(stubClosure: MoyaProvider.immediatelyStub)
        let piece: @Sendable () async throws -> Bool = { try await !provider.request(target).data.isEmpty }
        await report(program: "openmoya", work: "stub", inFlight: 1, count: requests) {
            await inFlight(1, count: requests, piece)
        }
    default:
        throw Complaint("can do get, flood, download, upload, form and stub, not \(arguments.work)")
    }
}

// Off the main actor, a hop to which and back costs ten times a stub; and with a main thread that waits, which valgrind can follow.
let finished = DispatchSemaphore(value: 0)
_Concurrency.Task.detached {
    do {
        try await run(Arguments())
    } catch {
        print("failed: \(error)")
        exit(1)
    }
    finished.signal()
}
finished.wait()

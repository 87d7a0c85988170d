// SPDX-License-Identifier: MIT

import BenchmarkFrame
import HTTPMessages
import HTTPSessions
import Moya

/// This package's `try await provider.request(target)`. Beside what all programs do:
///
///     OpenMoyaPeer flood --url URL --requests N --connections C
///     OpenMoyaPeer upload --url URL --file FILE
///     OpenMoyaPeer form --url URL --file FILE
///     OpenMoyaPeer stub --requests N
@main
struct MoyaClient: BenchmarkedClient {
    static let name = "openmoya"
    static let otherWork: [String: @Sendable (Arguments) async throws -> Void] = [
        "flood": flood, "upload": { try await send($0, use: Document.Use.upload) },
        "form": { try await send($0, use: Document.Use.uploadAsForm) },
        "stub": stub,
    ]

    private let provider: MoyaProvider<Document>

    init(connections: Int?, authority: String?) {
        var configuration = TransportConfiguration()
        if let connections { configuration.connectionsPerOrigin = connections }
        if let authority { configuration.tls.authorities = .pemFile(URL(fileURLWithPath: authority)) }
        provider = MoyaProvider(session: Session(transport: configuration, startRequestsImmediately: false))
    }

    func get(_ url: String) throws -> Get { provider.get(try Document(url)) }

    func download(_ url: String, to path: String) async throws -> Bool {
        let target = try Document(url, use: .save(to: URL(fileURLWithPath: path)))
        return try await provider.request(target).statusCode == 200
    }

    private static func send(_ arguments: Arguments, use: (URL) -> Document.Use) async throws {
        let file = URL(fileURLWithPath: try arguments.text("file"))
        let target = try Document(arguments.text("url"), use: use(file))
        let provider = MoyaProvider<Document>()
        try await report(name, arguments.work) {
            200..<300 ~= (try await provider.request(target).statusCode) ? 0 : 1
        }
    }

    private static func stub(_ arguments: Arguments) async throws {
        let requests = try arguments.count("requests")
        let target = try Document("http://127.0.0.1/message.json")
        let provider = MoyaProvider<Document>(stubClosure: MoyaProvider.immediatelyStub)
        let expected = Answer(status: 200, length: target.sampleData.count)
        await report(name, "stub", count: requests) {
            await inFlight(1, count: requests, expecting: expected, provider.get(target))
        }
    }
}

extension MoyaProvider<Document> {
    func get(_ target: Document) -> Get {
        {
            let response = try await self.request(target)
            return Answer(status: response.statusCode, length: response.data.count)
        }
    }
}

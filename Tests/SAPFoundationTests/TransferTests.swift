// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TransferTests {
    private struct Download: Sendable {
        let content: Data?
        let url: URL?
        let status: Int?
        let error: (any Error)?
    }

    private func session() -> SAPURLSession {
        let session = SAPURLSession()
        session.register(
            BasicAuthenticationObserver(
                basicCredentialDiscovery: ScriptedDiscovery(.success(.alice)), basicCredentialStore: InMemoryBasicCredentialStore()))
        return session
    }

    private func download(_ url: URL, _ session: SAPURLSession) async throws -> Download {
        let downloads = EventRecorder<Download>()
        session.downloadTask(with: url) { url, response, error in
            downloads.record(
                Download(
                    content: url.flatMap { try? Data(contentsOf: $0) }, url: url, status: (response as? HTTPURLResponse)?.statusCode,
                    error: error))
        }.resume()
        return try await downloads.wait(for: 1)[0]
    }

    @Test func `data and files are uploaded, again after a challenge`() async throws {
        let server = try TestServer.guarded()
        let session = session()
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "PUT"
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-upload-\(UUID().uuidString)")
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let statuses = EventRecorder<Int?>()
        session.uploadTask(with: request, from: content) { _, response, _ in statuses.record((response as? HTTPURLResponse)?.statusCode) }
            .resume()
        _ = try await statuses.wait(for: 1)
        session.uploadTask(with: request, fromFile: file) { _, response, _ in statuses.record((response as? HTTPURLResponse)?.statusCode) }
            .resume()

        #expect(try await statuses.wait(for: 2) == [200, 200])
        #expect(server.requests.map(\.body).allSatisfy { $0 == content })
        #expect(server.requestCount == 4)
    }

    @Test func `an upload needs a method that carries content, and a file that is there`() async throws {
        let server = try TestServer { _ in .ok }
        let errors = EventRecorder<String>()
        let session = SAPURLSession()
        session.uploadTask(with: URLRequest(url: server.url("/")), from: Data()) { errors.record("\($2 as? SAPURLSessionError as Any)") }
            .resume()
        #expect(try await errors.wait(for: 1)[0].contains("method does not fit"))
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        session.uploadTask(with: request, fromFile: URL(fileURLWithPath: "/nonexistent")) { errors.record("\($2 is URLError)") }.resume()
        #expect(try await errors.wait(for: 2)[1] == "true")
        #expect(server.requestCount == 0)
    }

    @Test func `a download is in a file while its handler runs, and not afterwards`() async throws {
        let server = try TestServer.guarded(content: "the file")
        let session = session()
        let result = try await download(server.url("/"), session)
        #expect(result.content == Data("the file".utf8))
        #expect(result.status == 200)
        session.finishTasksAndInvalidate()
        let file = try #require(result.url)
        let gone = EventRecorder<Void>()
        session.delegateQueue.addOperation { gone.record(()) }
        _ = try await gone.wait(for: 1)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a download without content is an empty file; one that breaks off leaves none`() async throws {
        let server = try TestServer { request in
            request.path == "/empty" ? .noContent : .ok("half of it").declaringLength(20).closing()
        }
        let session = SAPURLSession()
        #expect(try await download(server.url("/empty"), session).content == Data())
        let broken = try await download(server.url("/broken"), session)
        #expect(broken.error is URLError)
        #expect(broken.url == nil)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where a download's content goes.
@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
    private let session = Session.alone()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The temporary files of a request, as its destination was shown them.
    private func recording(
        _ files: EventRecorder<URL>, _ destination: @escaping DownloadRequest.Destination
    ) -> DownloadRequest.Destination {
        { temporaryURL, response in
            files.record(temporaryURL)
            return destination(temporaryURL, response)
        }
    }

    @Test func `the content is moved to its destination, with nothing left where it was`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let files = EventRecorder<URL>()

        let request = session.download(server.url("/"), to: recording(files, folder.destination("a.txt")))
        let response = await request.response()

        #expect(response.value == folder.url.appendingPathComponent("a.txt"))
        #expect(response.response?.statusCode == 200)
        #expect(folder.text("a.txt") == "content")
        #expect(files.events.count == 1)
        #expect(files.events.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test func `without a destination the file outlives the request`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let url = try await session.download(server.url("/")).serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: url) }

        #expect(try String(contentsOf: url, encoding: .utf8) == "content")
    }

    @Test func `a destination that returns the temporary URL keeps the file there`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let url = try await session.download(server.url("/"), to: { ($1.statusCode == 200 ? $0 : $0, []) }).serializingDownloadedFileURL()
            .value
        defer { try? FileManager.default.removeItem(at: url) }

        #expect(try String(contentsOf: url, encoding: .utf8) == "content")
    }

    @Test func `an existing file is replaced only if that was asked for`() async throws {
        let server = try TestServer { _ in .ok("new") }
        let existing = try folder.file("a.txt", "old")

        let refused = await session.download(server.url("/"), to: folder.destination("a.txt")).response()
        #expect(folder.text("a.txt") == "old")
        let replaced = await session.download(server.url("/"), to: folder.destination("a.txt", .removePreviousFile)).response()

        guard case .downloadedFileMoveFailed(let error, let source, existing)? = refused.error else {
            Issue.record("another error: \(String(describing: refused.error))")
            return
        }
        #expect((error as? CocoaError)?.code == .fileWriteFileExists)
        #expect(!FileManager.default.fileExists(atPath: source.path))
        #expect(refused.value == nil)
        #expect(replaced.error == nil)
        #expect(folder.text("a.txt") == "new")
    }

    @Test func `missing folders are made only if that was asked for`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let refused = await session.download(server.url("/"), to: folder.destination("x/y/a.txt")).response()
        let made = await session.download(server.url("/"), to: folder.destination("z/y/a.txt", .createIntermediateDirectories)).response()

        #expect(refused.error?.isDownloadedFileMoveError == true)
        #expect(made.error == nil)
        #expect(folder.names == ["z"])
        #expect(folder.text("z/y/a.txt") == "content")
    }

    @Test(.enabled(if: getuid() != 0, "the superuser may write anywhere"))
    func `a folder that may not be written to is an error`() async throws {
        let server = try TestServer { _ in .ok("content") }
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }

        let response = await session.download(server.url("/"), to: folder.destination("a.txt")).response()

        #expect(response.error?.isDownloadedFileMoveError == true)
    }

    @Test func `a destination below a file is an error that leaves nothing`() async throws {
        let server = try TestServer { _ in .ok("content") }
        _ = try folder.file("a.txt", "a file, not a folder")
        let files = EventRecorder<URL>()

        let response = await session.download(
            server.url("/"), to: recording(files, folder.destination("a.txt/b.txt", [.createIntermediateDirectories]))
        ).response()

        #expect(response.error?.isDownloadedFileMoveError == true)
        #expect(folder.names == ["a.txt"])
        #expect(files.events.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test func `a destination that is no file is an error`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let response = await session.download(server.url("/"), to: { _, _ in (URL(string: "https://a.test/b")!, []) }).response()

        #expect(response.error?.isDownloadedFileMoveError == true)
    }

    @Test func `a 404 lands too, before it is judged`() async throws {
        let server = try TestServer { _ in .status(404, "not here") }

        let request = session.download(server.url("/"), to: folder.destination("a.txt")).validate()
        let response = await request.response()

        #expect(response.error?.responseCode == 404)
        #expect(response.fileURL == folder.url.appendingPathComponent("a.txt"))
        #expect(folder.text("a.txt") == "not here")
    }

    @Test func `a response without content makes an empty file`() async throws {
        let server = try TestServer { _ in .noContent }

        let response = await session.download(server.url("/"), to: folder.destination("a.txt")).response()

        #expect(response.error == nil)
        #expect(folder.text("a.txt") == "")
    }

    @Test func `the suggested destination never leaves its folder`() async throws {
        let server = try TestServer { _ in .ok("content", fields: ["Content-Disposition": #"attachment; filename="../../evil.txt""#]) }
        let names = EventRecorder<String>()
        let suggestion = DownloadRequest.suggestedDownloadDestination(for: .cachesDirectory, in: .userDomainMask)
        let folder = folder.url

        let destination: DownloadRequest.Destination = { temporaryURL, response in
            let (url, options) = suggestion(temporaryURL, response)
            names.record(url.deletingLastPathComponent().lastPathComponent + "/" + url.lastPathComponent)
            return (folder.appendingPathComponent("safe"), options)
        }
        _ = await session.download(server.url("/a/b.txt"), to: destination).response()

        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0].lastPathComponent
        #expect(names.events.count == 1)
        #expect(names.events.allSatisfy { $0.hasPrefix("\(caches)/") && $0.hasSuffix("evil.txt") })
    }

    @Test func `a retry replaces what the attempt before it has put at the destination`() async throws {
        let server = try TestServer()
        server.enqueue(.status(503, "busy"), .ok("content"))
        let session = Session.alone(
            interceptor: Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) })

        let response = await session.download(server.url("/"), to: folder.destination("a.txt")).validate().response()

        #expect(response.error == nil)
        #expect(folder.text("a.txt") == "content")
    }

    @Test func `progress ends at the whole`() async throws {
        let server = try TestServer { _ in .ok(String(repeating: "0123456789", count: 5000)) }
        let counts = EventRecorder<Int64>()

        let request = session.download(server.url("/"), to: folder.destination("a.txt"))
        request.downloadProgress(queue: DispatchQueue(label: "test")) { counts.record($0.completedUnitCount) }
        _ = await request.response()

        let seen = try await counts.wait { $0.last == 50_000 }
        #expect(seen == seen.sorted())
        #expect(request.downloadProgress.fractionCompleted == 1)
        #expect(request.downloadProgress.totalUnitCount == 50_000)
    }
}

extension DownloadRequest {
    /// What a handler without a serializer is called with.
    func response() async -> AFDownloadResponse<URL?> {
        await callbackValue { callback in
            response(queue: .global()) { callback($0) }
        }
    }
}

extension TemporaryFolder {
    func destination(_ name: String, _ options: DownloadRequest.Options = []) -> DownloadRequest.Destination {
        let url = url.appendingPathComponent(name)
        return { _, _ in (url, options) }
    }

    func text(_ name: String) -> String? { try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8) }
}

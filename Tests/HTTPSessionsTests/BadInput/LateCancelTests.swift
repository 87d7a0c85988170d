// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The last step of a download: the file is moved, which may mean to copy it, and the request may be cancelled meanwhile.
@Suite(.timeLimit(.minutes(1)))
struct LateCancelTests {
    /// Says on which thread the complete file is validated, which is the one that moved it, and cancels the request then if it is to.
    private func validation(of request: DownloadRequest, threads: EventRecorder<String>, cancels: Bool) {
        request.validate { [weak request] _, _, _ in
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            threads.record(name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "")
            if cancels { request?.cancel() }
            return .success(())
        }
    }

    @Test func `a download that is cancelled when its file is in place leaves no file`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let session = Session.alone()

        let request = session.download(server.url("/"), to: { _, _ in (file, []) })
        validation(of: request, threads: EventRecorder(), cancels: true)
        let response = await request.serializingData().response

        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(folder.names.isEmpty)
    }

    #if Curl && os(Linux)
    /// A folder in memory, which is never on the temporary folder's file system.
    private static var otherFileSystem: URL? {
        let folder = URL(fileURLWithPath: "/dev/shm")
        var (here, there) = (stat(), stat())
        guard stat(FileManager.default.temporaryDirectory.path, &here) == 0, stat(folder.path, &there) == 0 else { return nil }
        return here.st_dev != there.st_dev && access(folder.path, W_OK) == 0 ? folder : nil
    }

    @Test(.enabled(if: otherFileSystem != nil, "there is no second file system"), arguments: [false, true])
    func `a file is copied to another file system beside the transport's thread`(cancels: Bool) async throws {
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let server = try TestServer { _ in .ok(content) }
        let folder = try #require(Self.otherFileSystem).appendingPathComponent("openmoya-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        let temporary = Locked<URL?>(nil)
        let threads = EventRecorder<String>()
        let session = Session.alone()

        let destination: DownloadRequest.Destination = { source, _ in
            temporary.withLock { $0 = source }
            return (file, [])
        }
        let request = session.download(server.url("/"), to: destination)
        validation(of: request, threads: threads, cancels: cancels)
        let response = await request.serializingData().response

        #expect(threads.events.count == 1)
        #expect(!threads.events.contains("openmoya-loop"))
        let source = try #require(temporary.withLock { $0 })
        #expect(!FileManager.default.fileExists(atPath: source.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == (cancels ? [] : ["file"]))
        if cancels {
            #expect(response.error?.isExplicitlyCancelledError == true)
        } else {
            #expect(response.value == content)
        }
    }
    #endif
}

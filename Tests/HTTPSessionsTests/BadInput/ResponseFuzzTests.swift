// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whatever bytes a server sends, and whatever is passed for resume data: a response or an error with a kind, in time, without a trap.
///
/// `FUZZ_ITERATIONS` sets the number of responses (400), `FUZZ_SEED` the seed to begin with.
@Suite(.timeLimit(.minutes(10)))
struct ResponseFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private let iterations = environment["FUZZ_ITERATIONS"].flatMap(Int.init) ?? 400
    private let firstSeed = environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 20_260_101
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What became of a request, as one word.
    private func label(_ error: AFError?) -> String {
        guard let error else { return "response" }
        if let error = error.httpError { return error.kind == .other ? "untyped: \(error)" : error.kind.rawValue }
        if error.isResponseSerializationError { return "serialization" }
        return "untyped: \(error)"
    }

    private func request(_ session: Session, _ url: URL, seed: UInt64) async -> AFError? {
        switch seed % 4 {
        case 0:
            await session.download(url, to: { [folder] _, _ in (folder.url.appendingPathComponent("\(seed)"), []) }).serializingData()
                .response.error
        case 1:
            await session.upload(Data(count: 5_000), to: url).authenticate(username: "u", password: "p").serializingData().response.error
        case 2:
            await session.request(url).authenticate(username: "u", password: "p").serializingData(emptyResponseCodes: Set(0...1_000))
                .response.error
        default: await stream(session, url)
        }
    }

    private func stream(_ session: Session, _ url: URL) async -> AFError? {
        await callbackValue { callback in
            session.streamRequest(url).responseStream(on: .global()) { stream in
                if case .complete(let completion) = stream.event { callback(completion.error) }
            }
        }
    }

    @Test func `any bytes end in a response or an error with a kind`() async throws {
        let server = try TestServer(.init { $0.recordsRequests = false }) { request in
            guard let seed = UInt64(request.path.dropFirst()) else { return .ok }
            return .raw(ScrambledResponse.bytes(seed: seed), then: [.close, .close, .close, .close, .close, .reset][Int(seed % 6)])
        }
        let session = Session.alone { configuration in
            configuration.timeoutIntervalForRequest = 2
            configuration.timeoutIntervalForResource = 10
            configuration.httpMaximumConnectionsPerHost = 16
        }
        let next = Locked(0)
        let outcomes = Locked<[String: Int]>([:])
        let untyped = Locked<[String]>([])
        let slowest = Locked<Duration>(.zero)

        try await withLeakCheck([.connections(to: server), .files(beneath: folder.url)]) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        while true {
                            let index = next.withLock { next in
                                defer { next += 1 }
                                return next
                            }
                            guard index < iterations else { return }
                            let seed = firstSeed &+ UInt64(index)
                            let start = ContinuousClock.now
                            let label = label(await request(session, server.url("/\(seed)"), seed: seed))
                            let elapsed = ContinuousClock.now - start
                            slowest.withLock { $0 = max($0, elapsed) }
                            outcomes.withLock { $0[label, default: 0] += 1 }
                            if label.hasPrefix("untyped") { untyped.withLock { $0.append("seed \(seed): \(label)") } }
                        }
                    }
                }
            }
            session.cancelAllRequests()
            // The connections that are kept go with their session: the last one says so to the others.
            session.transport.shutDown(cancellingTransfers: true)
        }

        let counts = outcomes.withLock { $0 }
        let wrong = untyped.withLock { $0 }
        print("\(iterations) scrambled responses, slowest \(slowest.withLock { $0 }): \(counts.sorted { $0.value > $1.value })")
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10))")
        #expect(slowest.withLock { $0 } < .seconds(12))
        #expect(counts["response", default: 0] > iterations / 20, "\(counts)")
        #expect(counts["malformedResponse", default: 0] > iterations / 50, "\(counts)")
    }

    @Test func `any resume data is an error or a download`() async throws {
        let server = try TestServer { _ in
            .ok(Data(count: 1_000), fields: ["ETag": "\"a\"", "Accept-Ranges": "bytes"]).closed(at: .responseBody(500))
        }
        let session = Session.alone { $0.timeoutIntervalForRequest = 2 }
        let interrupted = session.download(server.url("/"))
        _ = await interrupted.serializingData().response
        let sound = try #require(interrupted.resumeData)
        defer { try? ResumePoint(sound).removeFile() }
        var random = SeededGenerator(seed: firstSeed)

        for round in 0..<max(200, iterations / 10) {
            var data = sound
            for _ in 0..<Int.random(in: 1..<6, using: &random) where !data.isEmpty {
                let index = Int.random(in: 0..<data.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: data[index] = UInt8.random(in: .min ... .max, using: &random)
                case 1: data.remove(at: index)
                default: data = Data(data[..<index])
                }
            }
            // A request that would be sent goes to the test's own server or nowhere.
            guard let point = try? ResumePoint(data) else {
                let error = await session.download(resumingWith: data).serializingData().response.error
                #expect(error?.isCreateURLRequestError == true, "round \(round): \(String(describing: error))")
                continue
            }
            #expect(
                point.fileURL.deletingLastPathComponent().standardizedFileURL == FileManager.default.temporaryDirectory.standardizedFileURL)
        }
    }
}
#endif

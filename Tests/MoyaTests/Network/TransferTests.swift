// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransferTests {
    private let provider = MoyaProvider<AnyTarget>()

    @Test func `a download is in its file, not in the response`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let folder = try ScratchFolder()
        let file = folder.url.appendingPathComponent("deep/file")
        let destination: DownloadDestination = { _, response in
            (file, response.statusCode == 200 ? [.createIntermediateDirectories] : [])
        }

        let response = try await provider.request(.on(server, task: .downloadDestination(destination)))

        #expect(response.data.isEmpty)
        #expect(response.statusCode == 200)
        #expect(try Data(contentsOf: file) == Data("content".utf8))
    }

    @Test func `a download's parameters are in its request`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let folder = try ScratchFolder()
        let file = folder.url.appendingPathComponent("file")

        _ = try await provider.request(
            .on(server, task: .downloadParameters(parameters: ["a": 1], encoding: URLEncoding.default) { _, _ in (file, []) }))

        #expect(server.requests.map(\.target) == ["/p?a=1"])
    }

    @Test func `a download's destination may be where the file is already`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let moved = Locked<URL?>(nil)

        _ = try await provider.request(
            .on(
                server,
                task: .downloadDestination { temporaryURL, _ in
                    moved.withLock { $0 = temporaryURL }
                    return (temporaryURL, [])
                }))

        let file = try #require(moved.withLock { $0 })
        #expect(try Data(contentsOf: file) == Data("content".utf8))
        try FileManager.default.removeItem(at: file)
    }

    @Test func `a file is uploaded as it is`() async throws {
        let server = try TestServer { _ in .ok }
        let folder = try ScratchFolder()
        let file = try folder.file("note.txt", Data("content".utf8))

        _ = try await provider.request(.on(server, method: .put, task: .uploadFile(file)))

        let request = try #require(server.requests.first)
        #expect(request.bodyText == "content")
        #expect(request.fields["Content-Length"] == "7")
        #expect(request.fields["Content-Type"] == nil)
        #expect(request.method == "PUT")
    }

    @Test func `a form is sent with its boundary and its parameters`() async throws {
        let server = try TestServer { _ in .ok }
        let form = MultipartFormData(
            boundary: "B",
            parts: [
                MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "a"),
                MultipartFormBodyPart(provider: .stream(InputStream(data: Data("2".utf8)), 1), name: "b", fileName: "f", mimeType: "a/b"),
            ])

        _ = try await provider.request(
            .on(
                server, method: .post, task: .uploadCompositeMultipartFormData(form, urlParameters: ["q": "x"]),
                headers: ["Content-Type": "text/plain"]))

        let request = try #require(server.requests.first)
        #expect(request.target == "/p?q=x")
        #expect(request.fields.values("Content-Type") == ["multipart/form-data; boundary=B"])
        #expect(
            request.bodyText
                == "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"b\"; filename=\"f\"\r\nContent-Type: a/b\r\n\r\n2\r\n--B--\r\n")
    }

    @Test func `a form without a boundary gets one, the same in field and content`() async throws {
        let server = try TestServer { _ in .ok }

        for _ in 0..<2 {
            _ = try await provider.request(
                .on(
                    server, method: .post,
                    task: .uploadMultipartFormData([MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "a")])))
        }

        let boundaries = server.requests.map { $0.fields["Content-Type"]?.replacing("multipart/form-data; boundary=", with: "") ?? "" }
        #expect(Set(boundaries).count == 2)
        for (request, boundary) in zip(server.requests, boundaries) { #expect(request.bodyText.hasPrefix("--\(boundary)\r\n")) }
    }

    @Test func `parameters and JSON arrive`() async throws {
        let server = try TestServer { _ in .ok }

        for task in [
            Task.requestParameters(parameters: ["b": "x y", "a": 1], encoding: URLEncoding.default), .requestJSONEncodable(["a": 1]),
            .requestCompositeParameters(bodyParameters: ["a": 1], bodyEncoding: URLEncoding.httpBody, urlParameters: ["q": 2]),
        ] {
            _ = try await provider.request(.on(server, method: .post, task: task))
        }

        #expect(server.requests.map(\.bodyText) == ["a=1&b=x%20y", "{\"a\":1}", "a=1"])
        #expect(
            server.requests.map { $0.fields["Content-Type"] } == [
                "application/x-www-form-urlencoded; charset=utf-8", "application/json", "application/x-www-form-urlencoded; charset=utf-8",
            ])
        #expect(server.requests.last?.query == "q=2")
    }

    // MARK: Progress

    /// A server that sends four pieces, each when the one before has been noticed.
    private func steps(of response: ScriptedResponse, on queue: DispatchQueue? = nil) async throws -> [Double] {
        let gate = TestGate()
        let server = try TestServer { _ in
            var response = response.trickled(by: gate, pieceSize: 250)
            response.pacesHead = false
            return response
        }
        let steps = Locked<[Double]>([])
        gate.release()
        let result = await provider.result(
            of: .on(server), callbackQueue: queue,
            progress: { step in
                #expect(step.progressObject != nil)
                steps.withLock { $0.append(step.progress) }
                gate.release()
            })
        #expect(result.summary.hasPrefix("200"))
        return steps.withLock { $0 }
    }

    @Test func `a response of known length goes from share to share`() async throws {
        #expect(try await steps(of: .ok(Data(count: 1000))) == [0.25, 0.5, 0.75, 1, 1])
    }

    @Test func `order is kept on a concurrent queue`() async throws {
        #expect(try await steps(of: .ok(Data(count: 1000)), on: .global()) == [0.25, 0.5, 0.75, 1, 1])
    }

    @Test func `a response of unknown length is at 0 until it is there`() async throws {
        let response = ScriptedResponse(200, content: .untilClose(Data(count: 1000)))

        #expect(try await steps(of: response) == [0, 0, 0, 0, 1])
    }

    @Test func `steps are snapshots`() async throws {
        let server = try TestServer { _ in .ok(Data(count: 1 << 20)) }
        let objects = Locked<[Progress]>([])

        _ = await provider.result(
            of: .on(server), progress: { step in if let object = step.progressObject { objects.withLock { $0.append(object) } } })

        let counts = objects.withLock { $0.map(\.completedUnitCount) }
        #expect(counts == counts.sorted())
        #expect(counts.last == 1 << 20)
        #expect(Set(objects.withLock { $0.map(ObjectIdentifier.init) }).count == counts.count)
    }

    @Test func `an upload reports what is sent`() async throws {
        let server = try TestServer { _ in .ok("a response of some length") }
        let folder = try ScratchFolder()
        let file = try folder.file("big", Data(count: 1 << 20))
        let totals = Locked<[Int64]>([])

        let result = await provider.result(
            of: .on(server, method: .post, task: .uploadFile(file)),
            progress: { step in totals.withLock { $0.append(step.progressObject?.totalUnitCount ?? -2) } })

        #expect(result.summary.hasPrefix("200"))
        let seen = totals.withLock { $0 }
        #expect(Set(seen) == [1 << 20])
    }

    @Test func `a failed request ends its progress without a response`() async throws {
        let server = try TestServer { _ in .ok("0123456789").closed(at: .responseBody(4)) }
        let steps = Locked<[Bool]>([])

        let result = await provider.result(of: .on(server), progress: { step in steps.withLock { $0.append(step.completed) } })

        #expect((try? result.get()) == nil)
        #expect(steps.withLock { $0 }.last == false)
        #expect(!steps.withLock { $0 }.contains(true))
    }

    @Test func `progress is a sequence, too`() async throws {
        let server = try TestServer { _ in .ok(Data(count: 1 << 20)) }
        var last: ProgressResponse?
        var counts: [Int64] = []

        for try await step in provider.requestWithProgress(.on(server)) {
            last = step
            counts.append(step.progressObject?.completedUnitCount ?? -1)
        }

        #expect(last?.response?.data.count == 1 << 20)
        #expect(last?.progress == 1)
        #expect(counts == counts.sorted())
    }

    // MARK: Lifetime

    @Test func `a request in flight keeps its provider, and lets it go at its end`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: gate) }
        let outcome = EventRecorder<String>()
        let reference = WeakReference()
        do {
            let provider = MoyaProvider<AnyTarget>(plugins: [RecordingPlugin(name: "A", journal: Journal())])
            reference.set(provider)
            provider.request(.on(server)) { outcome.record($0.summary) }
        }

        try await gate.waitForWaiters()
        #expect(reference.isAlive)
        gate.open()

        #expect(try await outcome.wait(for: 1) == ["200 xA"])
        // The completion runs while the call still holds the provider; the main queue behind it is past that.
        while reference.isAlive { await _Concurrency.Task.yield() }
    }
}

/// Says whether an object is still there.
final class WeakReference: Sendable {
    private struct State {
        weak var object: AnyObject?
    }

    private let state = Locked(State())

    func set(_ object: AnyObject) { state.withLock { $0.object = object } }

    var isAlive: Bool { state.withLock { $0.object != nil } }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct DataStreamTests {
    private struct Reason: Error {}

    private let session = Session.alone()
    private let queue = DispatchQueue(label: "test")

    @Test func `every handler gets every piece in order, and the end behind them`() async throws {
        let server = try TestServer { _ in .chunked((0..<50).map { ScriptedResponse.Chunk(Data("<\($0)>".utf8)) }) }
        let expected = (0..<50).map { "<\($0)>" }.joined()
        let events = EventRecorder<String>()

        session.streamRequest(server.url("/"))
            .responseStreamString(on: queue) { stream in
                switch stream.event {
                case .stream(.success(let text)): events.record(text)
                case .complete(let completion): events.record("end \(completion.response?.statusCode ?? 0)")
                }
            }

        let seen = try await events.wait { $0.last?.hasPrefix("end") == true }
        #expect(seen.dropLast().joined() == expected)
        #expect(seen.last == "end 200")
    }

    @Test func `a handler that throws cancels the stream, and is told so`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .chunked(["one", "two"]).stalled(by: gate, at: .responseBody(8)) }
        let ends = EventRecorder<Bool>()

        let request = session.streamRequest(server.url("/")).responseStream(on: queue) { stream in
            switch stream.event {
            case .stream: throw Reason()
            case .complete(let completion): ends.record(completion.error?.isExplicitlyCancelledError == true)
            }
        }

        #expect(try await ends.wait(for: 1) == [true])
        #expect(request.isCancelled)
        gate.open()
    }

    @Test(arguments: [true, false])
    func `a serializer's failure cancels only if that was asked for`(cancels: Bool) async throws {
        let server = try TestServer { _ in .chunked(["no json"]) }
        let ends = EventRecorder<Bool>()
        let failures = EventRecorder<Bool>()

        let request = session.streamRequest(server.url("/"), automaticallyCancelOnStreamError: cancels)
        request.responseStreamDecodable(of: [Int].self, on: queue) { stream in
            switch stream.event {
            case .stream(let result): failures.record((try? result.get()) == nil)
            case .complete: ends.record(true)
            }
        }

        #expect(try await ends.wait(for: 1) == [true])
        #expect(failures.events == [true])
        if !cancels { #expect(request.isFinished) }
    }

    @Test func `the head can be judged before the content comes`() async throws {
        let server = try TestServer { request in .ok(request.path) }
        let events = EventRecorder<String>()

        for path in ["/allowed", "/cancelled"] {
            session.streamRequest(server.url(path))
                .onHTTPResponse(on: queue) { response, completion in
                    events.record("head \(response.statusCode)")
                    completion(response.url?.path == "/allowed" ? .allow : .cancel)
                    completion(.cancel)
                }
                .responseStreamString(on: queue) { stream in
                    switch stream.event {
                    case .stream(.success(let text)): events.record(text)
                    case .complete(let completion): events.record("end \(completion.error?.isExplicitlyCancelledError ?? false)")
                    }
                }
            _ = try await events.wait { $0.filter { $0.hasPrefix("end") }.count == (path == "/allowed" ? 1 : 2) }
        }

        #expect(events.events == ["head 200", "/allowed", "end false", "head 200", "end true"])
    }

    @Test func `a data request's head can be judged, too`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let asked = EventRecorder<Void>()

        let request = session.request(
            server.url("/"),
            interceptor: Retrier { _, _, _, completion in
                asked.record(())
                completion(.retry)
            }
        ).onHTTPResponse(on: queue) { _, completion in completion(.cancel) }
        let response = await request.serializingData().response

        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
        #expect(asked.events.isEmpty)
    }

    @Test func `validators judge the end of a stream`() async throws {
        let server = try TestServer { _ in .status(404, "not here") }
        let ends = EventRecorder<Int?>()

        session.streamRequest(server.url("/")).validate().responseStream(on: queue) { stream in
            if case .complete(let completion) = stream.event { ends.record(completion.error?.responseCode) }
        }

        #expect(try await ends.wait(for: 1) == [404])
    }

    @Test func `a handler that is added at the end hears of the end`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let ends = EventRecorder<String>()
        let request = session.streamRequest(server.url("/")).responseStream(on: queue) { stream in
            if case .complete = stream.event { ends.record("first") }
        }
        _ = try await ends.wait(for: 1)

        request.responseStream(on: queue) { stream in
            if case .complete = stream.event { ends.record("second") } else { ends.record("a piece") }
        }

        #expect(try await ends.wait(for: 2) == ["first", "second"])
    }

    @Test(.enabled(if: Session.capabilities.contains(.backPressure), "the engine cannot stop a server"))
    func `a slow handler stops the server`() async throws {
        let size = 128 << 20
        let server = try TestServer(.init { $0.sendBufferSize = 65_536 }) { _ in .repeating(Data("0123456789".utf8), count: size) }
        let gate = TestGate()
        let (blocked, first) = (DispatchSemaphore(value: 0), EventRecorder<Void>())
        let count = Locked(0)
        let ends = EventRecorder<Bool>()

        session.streamRequest(server.url("/")).responseStream(on: queue) { stream in
            switch stream.event {
            case .stream(.success(let data)):
                let isFirst = count.withLock { count in
                    defer { count += data.count }
                    return count == 0
                }
                if isFirst {
                    first.record(())
                    blocked.wait()
                }
            case .complete(let completion): ends.record(completion.error == nil)
            }
        }
        _ = try await first.wait(for: 1)
        let taken = try await server.waitForStalledResponse()
        blocked.signal()
        gate.open()

        #expect(try await ends.wait(for: 1) == [true])
        #expect(taken < size / 2)
        #expect(count.withLock { $0 } == size)
    }
}

// SPDX-License-Identifier: MIT

import HTTPTesting
import ReactiveMoya
import ReactiveSuite
import Testing

/// The calls of the guide, answered by a server.
@Suite(.timeLimit(.minutes(1)))
struct ServedGuideTests {
    private let server: TestServer
    private let page: Page
    private let queue = DispatchQueue(label: "callbacks")
    private let provider: MoyaProvider<Page>

    init() throws {
        let queue = queue
        server = try TestServer()
        page = Page(server.baseURL)
        provider = MoyaProvider<Page>(callbackQueue: queue)
    }

    @Test func `a provider made without any setup sends, with its events on the main queue`() async throws {
        let provider = MoyaProvider<Page>()
        let seen = EventRecorder<String>()
        let isMain = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: isMain, value: true)
        server.enqueue(.ok("zen"))

        provider.reactive.request(page).start { event in
            let isOnMain = DispatchQueue.getSpecific(key: isMain) == true
            seen.record("\(event.value?.statusCode ?? 0) \(event.isCompleted) \(isOnMain)")
        }

        #expect(try await seen.wait(for: 2) == ["200 false true", "0 true true"])
    }

    @Test func `the guide's request gets a value with the response, then the completion`() async throws {
        let seen = EventRecorder<String>()
        server.enqueue(.ok("Half measures are as bad as nothing at all."))

        provider.reactive.request(page).start { event in
            switch event {
            case let .value(response):
                seen.record("\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))")
            case let .failed(error):
                seen.record("failed \(error)")
            default:
                seen.record("\(event.isCompleted)")
            }
        }

        #expect(try await seen.wait(for: 2) == ["200 Half measures are as bad as nothing at all.", "true"])
    }

    @Test func `the guide's request with progress gets shares that grow to one, then the response, then the completion`() async throws {
        let seen = EventRecorder<Step>()
        let gate = TestGate()
        server.enqueue(.ok(Data(repeating: 97, count: 4000)).trickled(by: gate, pieceSize: 1000))

        provider.reactive.requestWithProgress(page).start { event in
            switch event {
            case .value(let progressResponse):
                if let response = progressResponse.response {
                    seen.record(.response(byteCount: response.data.count, progress: progressResponse.progress))
                } else {
                    seen.record(.progress(progressResponse.progress))
                }
            case .failed(let error):
                seen.record(.end("failed \(error)"))
            default:
                seen.record(.end("\(event)"))
            }
        }
        // The head and the first piece.
        gate.release(2)
        _ = try await seen.wait { $0.contains(.progress(0.25)) }
        gate.open()

        let steps = try await seen.wait { $0.contains(where: \.isEnd) }
        #expect(steps.suffix(2) == [.response(byteCount: 4000, progress: 1), .end("COMPLETED")])
        let shares = steps.dropLast(2).compactMap(\.share)
        #expect(shares.count == steps.count - 2)
        #expect(shares == shares.sorted())
        #expect(shares.last.map { $0 <= 1 } == true)
    }

    @Test func `a request that nobody starts is not sent, and one that is started twice is sent twice`() async throws {
        let sent = Recorded<String>()
        let provider = MoyaProvider<Page>(callbackQueue: queue, plugins: [Counting(sent)])
        let seen = EventRecorder<Bool>()
        server.enqueue(.ok("one"), .ok("two"))

        let producer = provider.reactive.request(page)
        #expect(sent.all.isEmpty)
        #expect(provider.inflightRequests.isEmpty)
        #expect(server.requests.isEmpty)
        producer.start { if $0.isTerminating { seen.record($0.isCompleted) } }
        producer.start { if $0.isTerminating { seen.record($0.isCompleted) } }

        #expect(try await seen.wait(for: 2) == [true, true])
        #expect(sent.all.count == 2)
        #expect(server.requests.count == 2)
    }

    @Test func `the request goes on when the value that start returned is dropped`() async throws {
        let seen = EventRecorder<String>()
        let gate = TestGate()
        server.enqueue(.ok("kept").stalled(by: gate))

        do {
            let handle = provider.reactive.request(page).start { event in
                seen.record(event.value.map { String(decoding: $0.data, as: UTF8.self) } ?? "\(event.isCompleted)")
            }
            withExtendedLifetime(handle) {}
        }
        _ = try await server.waitForRequests(count: 1)
        gate.open()

        #expect(try await seen.wait(for: 2) == ["kept", "true"])
    }

    @Test func `a status code that the target refuses is an error with the code, the response and its data`() async throws {
        let seen = EventRecorder<Result<Response, MoyaError>>()
        server.enqueue(.status(404, "gone"))

        provider.reactive.request(Page(server.baseURL, validationType: .successCodes)).startWithResult { seen.record($0) }

        guard case .failure(let error)? = try await seen.wait(for: 1).first, case .underlying(_, let response) = error else {
            Issue.record("\(seen.events)")
            return
        }
        #expect(response?.statusCode == 404)
        #expect(error.response?.statusCode == 404)
        #expect(error.response?.data == Data("gone".utf8))
        #expect((error as NSError).code == 404)
        #expect((error as NSError).domain == MoyaErrorDomain)
        #expect((error as NSError).userInfo["data"] as? Data == Data("gone".utf8))
        #expect((error as NSError).userInfo[NSUnderlyingErrorKey] is any Error)
        #expect((error as NSError).userInfo[NSLocalizedDescriptionKey] as? String == error.errorDescription)
    }

    @available(*, deprecated)
    @Test func `startWithNext sees the response and no failure`() async throws {
        let seen = EventRecorder<Int>()
        let ended = EventRecorder<Bool>()
        let refusing = Page(server.baseURL, validationType: .successCodes)
        server.enqueue(.notFound)

        provider.reactive.request(refusing).on(failed: { _ in ended.record(true) }).startWithNext { (response: Response) in
            seen.record(response.statusCode)
        }
        _ = try await ended.wait(for: 1)
        server.enqueue(.ok("zen"))
        provider.reactive.request(page).startWithNext { (response: Response) in seen.record(response.statusCode) }

        #expect(try await seen.wait(for: 1) == [200])
    }

    @Test func `a mapped request gives its result`() async throws {
        let seen = EventRecorder<Int?>()
        server.enqueue(.ok("zen"))

        provider.reactive.request(page).map { $0.statusCode }.startWithResult { seen.record(try? $0.get()) }

        #expect(try await seen.wait(for: 1) == [200])
    }

    private enum Step: Hashable, Sendable {
        case progress(Double)
        case response(byteCount: Int, progress: Double)
        case end(String)

        var isEnd: Bool {
            if case .end = self { return true }
            return false
        }

        var share: Double? {
            if case .progress(let share) = self { return share }
            return nil
        }
    }
}

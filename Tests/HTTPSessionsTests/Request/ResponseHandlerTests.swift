// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// When handlers start a request, and when they are called.
@Suite(.timeLimit(.minutes(1)))
struct ResponseHandlerTests {
    private let transport = ManualTransport()
    private let url = "http://a.test/"

    private func session(startRequestsImmediately: Bool = true) -> Session {
        Session(transport: transport, configuration: .ephemeral, startRequestsImmediately: startRequestsImmediately)
    }

    @Test func `an eager session makes the request at once and sends it when it is resumed`() async throws {
        let made = EventRecorder<Void>()
        let session = Session.alone(
            startRequestsImmediately: false, requestSetup: .eager,
            interceptor: Adapter { request, _, completion in
                made.record(())
                completion(.success(request))
            })
        let server = try TestServer { _ in .ok("eager") }

        let request = session.request(server.url("/"))
        #expect(made.events.count == 1)
        #expect(request.isInitialized)
        #expect(request.request != nil)

        #expect(try await request.serializingString().value == "eager")
        #expect(made.events.count == 1)
        #expect(server.requestCount == 1)
    }

    @Test func `an eager request that cannot be made tells the handler that comes later`() async throws {
        let session = Session.alone(requestSetup: .eager)

        let request = session.request("", method: .get)
        let error = await request.serializingData().response.error

        #expect(error?.isInvalidURLError == true)
    }

    @Test func `a handler that is added to a finished request is served at once, and the others no second time`() async throws {
        let session = session()
        let calls = EventRecorder<String>()
        let queue = DispatchQueue(label: "test")
        let request = session.request(url).responseString(queue: queue) { calls.record("first \($0.value ?? "")") }
        let transfer = try await transport.transfer()
        transfer.respond(200)
        transfer.finish("content")
        _ = try await calls.wait(for: 1)

        request.responseString(queue: queue) { calls.record("second \($0.value ?? "")") }

        #expect(try await calls.wait(for: 2) == ["first content", "second content"])
        #expect(transport.started.events.count == 1)
    }

    @Test func `handlers complete in the order in which they were added, on their own queues`() async throws {
        let session = session()
        let calls = EventRecorder<String>()
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "test")
        queue.setSpecific(key: key, value: "mine")
        session.request(url)
            .responseDecodable(of: [Int].self, queue: queue) { _ in calls.record("1 \(DispatchQueue.getSpecific(key: key) ?? "")") }
            .response(queue: queue) { _ in calls.record("2 \(DispatchQueue.getSpecific(key: key) ?? "")") }
            .responseString(queue: queue) { _ in calls.record("3 \(DispatchQueue.getSpecific(key: key) ?? "")") }
        let transfer = try await transport.transfer()

        transfer.respond(200)
        transfer.finish("[1]")

        #expect(try await calls.wait(for: 3) == ["1 mine", "2 mine", "3 mine"])
    }

    @Test func `handlers are called on the main queue unless another one is given`() async throws {
        let session = session()
        let isMain = EventRecorder<Bool>()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        session.request(url).response { _ in isMain.record(DispatchQueue.getSpecific(key: key) ?? false) }
        let transfer = try await transport.transfer()

        transfer.respond(200)
        transfer.finish()

        #expect(try await isMain.wait(for: 1) == [true])
    }

    @Test func `a request's own word on starting stands before the session's`() async throws {
        let session = session(startRequestsImmediately: false)
        let other = self.session(startRequestsImmediately: true)
        let convertible = URLRequest(url: URL(string: url)!)

        session.request(convertible, shouldAutomaticallyResume: true).response { _ in }
        let waiting = other.request(convertible, shouldAutomaticallyResume: false).response { _ in }

        #expect(transport.started.events.count == 1)
        #expect(waiting.isInitialized)
    }
}

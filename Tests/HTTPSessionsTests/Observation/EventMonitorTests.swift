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
struct EventMonitorTests {
    /// Writes down every event of a request by a short name.
    private final class Recorder: EventMonitor {
        let queue = DispatchQueue(label: "test.monitor")
        let events = EventRecorder<String>()

        func requestDidResume(_ request: Request) { events.record("resume") }
        func requestDidSuspend(_ request: Request) { events.record("suspend") }
        func requestDidCancel(_ request: Request) { events.record("cancel") }
        func requestDidFinish(_ request: Request) { events.record("finish") }
        func requestIsRetrying(_ request: Request) { events.record("retry") }
        func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) { events.record("initial") }
        func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) { events.record("no request") }
        func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest) {
            events.record("adapted")
        }
        func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError) {
            events.record("not adapted")
        }
        func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) { events.record("request") }
        func request(_ request: Request, didCreateTask task: URLSessionTask) { events.record("task") }
        func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
            events.record(error == nil ? "task done" : "task failed")
        }
        func request(
            _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
            withResult result: Request.ValidationResult
        ) {
            if case .success = result { events.record("valid") } else { events.record("invalid \(response.statusCode)") }
        }
        func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) { events.record("unserialized") }
        func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
            events.record(response.error == nil ? "serialized" : "not serialized")
        }
        func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) { events.record("uploadable") }
        func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) { events.record("no uploadable") }
        func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) { events.record("destination") }
        func request(_ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask, with result: Result<URL, AFError>) {
            events.record("downloaded")
        }
    }

    private let recorder = Recorder()

    private func events() async throws -> [String] { try await recorder.events.wait { $0.contains("finish") } }

    private func session(_ interceptor: (any RequestInterceptor)? = nil) -> Session {
        .alone(interceptor: interceptor, eventMonitors: [recorder])
    }

    @Test func `a request that succeeds has one row of events`() async throws {
        let server = try TestServer { _ in .ok("text") }
        let session = session()

        _ = await session.request(server.url("/")).validate().serializingString().response

        #expect(try await events() == ["resume", "initial", "request", "task", "task done", "valid", "serialized", "finish"])
    }

    @Test func `an attempt that is sent again has its own row`() async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .ok("text"))
        let session = session(
            Interceptor(
                adaptHandler: { request, _, completion in completion(.success(request)) },
                retryHandler: { _, _, _, completion in completion(.retry) }))

        _ = await session.request(server.url("/")).validate().serializingString().response

        let attempt = ["initial", "adapted", "request", "task", "task done"]
        #expect(try await events() == ["resume"] + attempt + ["invalid 503", "retry"] + attempt + ["valid", "serialized", "finish"])
    }

    @Test func `a transfer that fails is said so`() async throws {
        let server = try TestServer { _ in .reset }
        let session = session()

        _ = await session.request(server.url("/"), method: .post).validate().serializingString().response

        #expect(try await events() == ["resume", "initial", "request", "task", "task failed", "not serialized", "finish"])
    }

    @Test func `a request that cannot be made, or not adapted, is said so`() async throws {
        let unmade = session()
        _ = await unmade.request("").serializingString().response
        #expect(try await events() == ["resume", "no request", "not serialized", "finish"])
        recorder.events.removeAll()

        let unadapted = session(Adapter { _, _, completion in completion(.failure(URLError(.unknown))) })
        _ = await unadapted.request("http://127.0.0.1:9/").serializingString().response
        #expect(try await events() == ["resume", "initial", "not adapted", "not serialized", "finish"])
    }

    @Test func `suspending, resuming and cancelling are events`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let session = session()

        let request = session.request(server.url("/"))
        let task = request.serializingString()
        request.suspend().suspend().resume().cancel().cancel()
        _ = await task.response

        #expect(
            try await events() == [
                "resume", "initial", "request", "task", "suspend", "resume", "cancel", "task failed", "not serialized", "finish",
            ])
        gate.open()
    }

    @Test func `uploads and downloads have events of their own`() async throws {
        let server = try TestServer { _ in .ok("text") }
        let session = session()

        _ = await session.upload(Data("x".utf8), to: server.url("/")).serializingString().response
        #expect(try await events() == ["resume", "initial", "uploadable", "request", "task", "task done", "serialized", "finish"])
        recorder.events.removeAll()

        let url = try await session.download(server.url("/")).serializingDownloadedFileURL().value
        #expect(try await events() == ["resume", "initial", "request", "task", "destination", "downloaded", "task done", "finish"])
        try FileManager.default.removeItem(at: url)
    }

    @Test func `a request's own monitor hears of that request only`() async throws {
        let server = try TestServer { _ in .ok("text") }
        let session = Session.alone()

        _ = await session.request(server.url("/")).serializingString().response
        _ = await session.request(server.url("/")).eventMonitor(recorder).serializingString().response

        #expect(try await events() == ["resume", "initial", "request", "task", "task done", "serialized", "finish"])
    }

    @Test func `a handler that comes late is no second end`() async throws {
        let server = try TestServer { _ in .ok("text") }
        let session = session()

        let request = session.request(server.url("/"))
        _ = await request.serializingString().response
        _ = try await events()
        _ = await request.serializingString().response
        recorder.queue.sync {}

        #expect(recorder.events.events.filter { $0 == "finish" } == ["finish"])
    }

    @Test func `closures hear of a request's task from its making to its end`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let events = EventRecorder<String>()
        let monitor = ClosureEventMonitor(queue: recorder.queue)
        monitor.requestDidCreateTask = { _, _ in events.record("task") }
        monitor.requestDidResumeTask = { request, task in events.record(task === request.task ? "task resumed" : "another task") }
        monitor.requestDidSuspendTask = { _, _ in events.record("task suspended") }
        monitor.requestDidCancelTask = { _, _ in events.record("task cancelled") }
        monitor.requestDidCompleteTaskWithError = { _, _, error in events.record(error == nil ? "task done" : "task failed") }
        monitor.requestDidFinish = { _ in events.record("finish") }
        let session = Session.alone(eventMonitors: [monitor])

        let request = session.request(server.url("/"))
        let task = request.serializingString()
        request.suspend().resume().cancel()
        _ = await task.response

        let seen = try await events.wait { $0.contains("finish") }
        let expected = ["task", "task resumed", "task suspended", "task resumed", "task cancelled", "task failed", "finish"]
        #expect(seen == expected, "\(seen)")
        gate.open()
    }

    @Test func `notifications carry their request`() async throws {
        let server = try TestServer { _ in .ok("text") }
        let session = Session.alone(eventMonitors: [AlamofireNotifications()])
        let request = session.request(server.url("/"))
        let finished = EventRecorder<Bool>()
        let observer = NotificationCenter.default.addObserver(forName: Request.didFinishNotification, object: request, queue: nil) {
            finished.record($0.request === request)
        }
        defer { NotificationCenter.default.removeObserver(observer) }

        _ = await request.serializingString().response

        #expect(try await finished.wait(for: 1) == [true])
    }
}

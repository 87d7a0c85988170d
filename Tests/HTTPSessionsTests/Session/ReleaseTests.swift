// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What only a request holds may use that request when it is let go of, as a model's `deinit` does that cancels what it has begun: no lock of
/// the request's may be held at that moment.
@Suite(.timeLimit(.minutes(1)))
struct ReleaseTests {
    private let transport = ManualTransport()
    private let released = EventRecorder<String>()

    private func session(retrier: (any RequestInterceptor)? = nil) -> Session {
        Session(transport: transport, configuration: .ephemeral, startRequestsImmediately: false, interceptor: retrier)
    }

    private func model(_ name: String, of request: Request) -> CallingOnRelease {
        CallingOnRelease { [released] in
            request.cancel()
            _ = request.response
            _ = (request as? DataRequest)?.data
            _ = (request as? DownloadRequest)?.resumeData
            released.record(name)
        }
    }

    @Test func `the handlers of a data request`() async throws {
        let session = session()
        let request = session.request("http://a.test/")
        request
            .downloadProgress(queue: .global()) { [held = model("progress", of: request)] _ in withExtendedLifetime(held) {} }
            .onURLRequestCreation(on: .global()) { [held = model("creation", of: request)] _ in withExtendedLifetime(held) {} }
            .onURLSessionTaskCreation(on: .global()) { [held = model("task", of: request)] _ in withExtendedLifetime(held) {} }
            .cURLDescription(on: .global()) { [held = model("description", of: request)] _ in withExtendedLifetime(held) {} }
            .validate { [held = model("validator", of: request)] _, _, _ in withExtendedLifetime(held) { .success(()) } }
            .response(queue: .global()) { [held = model("handler", of: request)] _ in withExtendedLifetime(held) {} }
            .resume()
        let transfer = try await transport.transfer()

        transfer.respond(200)
        transfer.finish("content")

        _ = try await released.wait(for: 6)
        #expect(Set(released.events) == ["progress", "creation", "task", "description", "validator", "handler"])
    }

    @Test func `a head's handler, the one that it replaces, too`() async throws {
        let session = session()
        let data = session.request("http://a.test/")
        data.onHTTPResponse(on: .global()) { [held = model("first", of: data)] _ in withExtendedLifetime(held) {} }
        data.onHTTPResponse(on: .global()) { [held = model("second", of: data)] _ in withExtendedLifetime(held) {} }
        // Cancels the request, and so the other one goes, too.
        #expect(released.events == ["first", "second"])
        let stream = session.streamRequest("http://a.test/")
        stream.onHTTPResponse(on: .global()) { [held = model("third", of: stream)] _ in withExtendedLifetime(held) {} }
        stream.onHTTPResponse(on: .global()) { [held = model("fourth", of: stream)] _ in withExtendedLifetime(held) {} }
        stream.cancel()

        _ = try await released.wait(for: 4)
        #expect(Set(released.events) == ["first", "second", "third", "fourth"])
    }

    @Test func `the handlers of a download and of a stream`() async throws {
        let session = session()
        let download = session.download("http://a.test/")
        download
            .validate { [held = model("download", of: download)] _, _, _ in withExtendedLifetime(held) { .success(()) } }
            .cancel(byProducingResumeData: { [held = model("resume data", of: download)] _ in withExtendedLifetime(held) {} })
        let stream = session.streamRequest("http://b.test/")
        stream
            .validate { [held = model("stream", of: stream)] _, _ in withExtendedLifetime(held) { .success(()) } }
            .responseStream(on: .global()) { [held = model("pieces", of: stream)] _ in withExtendedLifetime(held) {} }
            .cancel()

        _ = try await released.wait(for: 4)
        #expect(Set(released.events) == ["download", "resume data", "stream", "pieces"])
    }

    /// Serializes to a model once, and fails once, so that the model is dropped for a retry.
    private struct ModelSerializer: DataResponseSerializerProtocol {
        let make: @Sendable () throws -> CallingOnRelease
        func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> CallingOnRelease {
            try make()
        }
    }

    @Test func `a value that a retry throws away`() async throws {
        let session = session(retrier: Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) })
        let request = session.request("http://a.test/")
        let calls = EventRecorder<Bool>()
        request.response(queue: .global(), responseSerializer: ModelSerializer { model("value", of: request) }) {
            calls.record($0.error == nil)
        }
        request.response(queue: .global(), responseSerializer: ModelSerializer { throw URLError(.cannotParseResponse) }) {
            calls.record($0.error == nil)
        }
        request.resume()
        let transfer = try await transport.transfer()

        transfer.respond(200)
        transfer.finish("content")

        // Cancels the request, whose handlers are then served once more.
        #expect(try await calls.wait(for: 2).contains(false))
        #expect(Set(try await released.wait(for: 1)) == ["value"])
    }

    @Test func `a session that only a handler holds`() async throws {
        var session: Session? = session()
        let request = try #require(session?.request("http://a.test/"))
        let gone = WeakReference(try #require(session))
        request.downloadProgress(queue: .global()) { [session] _ in _ = session?.rootQueue }
        request.resume()
        session = nil
        let transfer = try await transport.transfer()

        transfer.respond(200)
        transfer.finish("content")

        #expect(await eventually { gone.object == nil })
        #expect(await eventually { request.isFinished })
    }

    /// Ends its transfer when it is let go of, if it was not ended.
    private final class EndingControl: TransferControl {
        private let receiver: any TransferReceiver
        init(_ receiver: any TransferReceiver) { self.receiver = receiver }
        deinit { receiver.transferDidFinish(TransferOutcome(error: HTTPError(.cancelled, attempting: "a test", "it was let go of"))) }
        func cancel() {}
        func suspend() {}
        func resume() {}
        func requestMoreContent() {}
        func decide(_ disposition: ContentDisposition) {}
    }

    private final class EndingTransport: HTTPTransport {
        let capabilities: TransportCapabilities = []
        let acceptedContentCodings: String? = nil
        let receivers = EventRecorder<any TransferReceiver>()

        func start(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver) -> any TransferControl {
            receivers.record(receiver)
            return EndingControl(receiver)
        }

        func shutDown(cancellingTransfers: Bool) {}
    }

    @Test func `a transport's control`() async throws {
        let transport = EndingTransport()
        let session = Session(transport: transport, configuration: .ephemeral)
        let task = session.request("http://a.test/").serializingData()
        let receiver = try await transport.receivers.wait(for: 1)[0]

        _ = receiver.transferDidReceiveHead(HTTPResponseHead(status: 302, fields: ["Location": "/z"]))
        receiver.transferDidFinish(TransferOutcome())
        let second = try await transport.receivers.wait(for: 2)[1]
        _ = second.transferDidReceiveHead(HTTPResponseHead(status: 200))
        second.transferDidFinish(TransferOutcome(content: Data("content".utf8)))

        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }

    @Test func `a credential, and what a refresh has failed with`() async throws {
        struct Failure: Error {
            let held: CallingOnRelease
        }
        final class Token: AuthenticationCredential, Sendable {
            let held: CallingOnRelease
            let requiresRefresh: Bool
            init(requiresRefresh: Bool, _ onRelease: @escaping @Sendable () -> Void) {
                self.requiresRefresh = requiresRefresh
                held = CallingOnRelease(onRelease)
            }
        }
        final class Refuser: Authenticator {
            let makeError: @Sendable () -> any Error
            init(_ makeError: @escaping @Sendable () -> any Error) { self.makeError = makeError }
            func apply(_ credential: Token, to urlRequest: inout URLRequest) {}
            func refresh(_ credential: Token, for session: Session, completion: @escaping @Sendable (Result<Token, any Error>) -> Void) {
                completion(.failure(makeError()))
            }
            func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error) -> Bool
            {
                true
            }
            func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool { true }
        }
        let interceptor = Locked<AuthenticationInterceptor<Refuser>?>(nil)
        let use: @Sendable (String) -> Void = { [released] name in
            _ = interceptor.withLock { $0 }?.credential
            released.record(name)
        }
        let refuser = Refuser { Failure(held: CallingOnRelease { use("error") }) }
        let made = AuthenticationInterceptor(authenticator: refuser, credential: Token(requiresRefresh: true) { use("first") })
        interceptor.withLock { $0 = made }
        let session = session()

        made.adapt(try URLRequest(url: "http://a.test/", method: .get), for: session) { _ in }
        #expect(released.events == [])
        made.credential = Token(requiresRefresh: false) { use("second") }
        #expect(released.events == ["first", "error"])
        made.credential = nil

        #expect(released.events == ["first", "error", "second"])
        _ = interceptor.withLock { $0.take() }
    }
}

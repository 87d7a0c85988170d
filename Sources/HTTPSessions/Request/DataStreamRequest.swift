// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request whose response is handed on piece by piece, as the network brings it, and kept nowhere.
///
/// Reading stops while more than ``bufferedBytesLimit`` bytes wait for their handlers, so a slow handler slows the server down.
public final class DataStreamRequest: Request, @unchecked Sendable {  // what changes is behind `content`
    /// Hears of each piece and of the end.
    public typealias Handler<Success, Failure: Error> = @Sendable (Stream<Success, Failure>) throws -> Void
    /// Judges a response; the first failure fails the request. Called once all pieces have come, usually on the engine's thread.
    public typealias Validation = @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse) -> ValidationResult

    /// What a handler gets.
    public struct Stream<Success: Sendable, Failure: Error>: Sendable {
        /// A piece, or the end.
        public let event: Event<Success, Failure>
        /// Cancels the stream.
        public let token: CancellationToken

        /// Cancels the stream.
        public func cancel() { token.cancel() }
    }

    /// A piece, or the end.
    public enum Event<Success: Sendable, Failure: Error>: Sendable {
        /// A piece, or the error of its serializer.
        case stream(Result<Success, Failure>)
        /// The end, after all pieces were handled; nothing comes behind it.
        case complete(Completion)
    }

    /// How a stream ended.
    public struct Completion: Sendable {
        /// The last request.
        public let request: URLRequest?
        /// The response, if its head arrived.
        public let response: HTTPURLResponse?
        /// What the last attempt cost.
        public let metrics: TransferMetrics?
        /// Why it failed, if it did.
        public let error: AFError?
    }

    /// Cancels a stream from inside its handler.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        init(_ request: DataStreamRequest) { self.request = request }

        /// Cancels the stream.
        public func cancel() { request?.cancel() }
    }

    /// One handler: told of pieces, then of the end.
    private struct Subscriber: Sendable {
        let receive: @Sendable (Data, _ handled: @escaping @Sendable () -> Void) -> Void
        let complete: @Sendable (Completion) -> Void
    }

    private struct Content {
        var subscribers: [Subscriber] = []
        var validators = ResponseValidators<Void>()
        var onResponse: (@Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void)?
        /// Bytes that were handed out and not handled yet, counted once for each handler.
        var waitingBytes = 0
        var isPaused = false
        var completion: Completion?
    }

    /// What the request is made of.
    public let convertible: any URLRequestConvertible
    /// Whether a handler that throws, or a serializer that fails, cancels the request.
    public let automaticallyCancelOnStreamError: Bool
    /// How many bytes may wait for their handlers before reading stops: 1 MiB.
    public static let bufferedBytesLimit = 1_048_576
    private let content = InlineLocked(Content())

    init(
        _ convertible: any URLRequestConvertible, session: Session, interceptor: (any RequestInterceptor)?, resumesAutomatically: Bool?,
        automaticallyCancelOnStreamError: Bool
    ) {
        self.convertible = convertible
        self.automaticallyCancelOnStreamError = automaticallyCancelOnStreamError
        super.init(session: session, interceptor: interceptor, resumesAutomatically: resumesAutomatically)
    }

    override func makeInitialRequest() throws -> URLRequest { try convertible.asURLRequest() }

    // MARK: Content

    override func disposition(for response: ReceivedResponse, of exchange: Exchange) -> ContentDisposition {
        guard let onResponse = content.withLock({ $0.onResponse }) else { return .stream }
        return waitForDisposition(of: exchange, allowing: .stream) { onResponse(response.urlResponse, $0) }
    }

    override func didReceive(content bytes: Data) -> ContentDemand {
        let (subscribers, isPaused) = content.withLock { content in
            content.waitingBytes += bytes.count * content.subscribers.count
            if content.waitingBytes > Self.bufferedBytesLimit * max(content.subscribers.count, 1) { content.isPaused = true }
            return (content.subscribers, content.isPaused)
        }
        for subscriber in subscribers {
            subscriber.receive(bytes) { [weak self] in self?.handled(bytes.count) }
        }
        return isPaused ? .pause : .more
    }

    private func handled(_ count: Int) {
        let resumes = content.withLock { content in
            content.waitingBytes -= count
            guard content.isPaused, content.waitingBytes < Self.bufferedBytesLimit / 2 else { return false }
            content.isPaused = false
            return true
        }
        if resumes { mutable.withLock { $0.exchange }?.requestMoreContent() }
    }

    override func validate(_ urlRequest: URLRequest?, _ response: ReceivedResponse) -> AFError? {
        let validators = content.withLock { $0.validators }
        guard !validators.isEmpty else { return nil }
        let error = validators.firstFailure(urlRequest, response, (), isEmpty: false)
        notify { monitor in
            let result: ValidationResult = error.map { .failure($0) } ?? .success(())
            monitor.request(self, didValidateRequest: urlRequest, response: response.urlResponse, withResult: result)
        }
        return error
    }

    override func didConclude() {
        let completion = Completion(request: request, response: response, metrics: metrics, error: error)
        // What was given to the request may hold it, or use it when it is let go of: not under the lock.
        let (subscribers, given) = content.withLock { content in
            content.completion = completion
            return (content.subscribers.takeAll(), (content.validators.takeAll(), content.onResponse.take()))
        }
        withExtendedLifetime(given) {}
        for subscriber in subscribers { subscriber.complete(completion) }
    }

    // MARK: Handlers

    /// Calls `stream` on `queue` with each piece and then with the end. A handler that is added after the end hears of the end only.
    @discardableResult
    @preconcurrency
    public func responseStream(on queue: DispatchQueue = .main, stream: @escaping Handler<Data, Never>) -> Self {
        subscribe(stream, on: queue) { .success($0) }
        return self
    }

    /// Serializes each piece on the session's serialization queue; `stream` is called on `queue`.
    @discardableResult
    @preconcurrency
    public func responseStream<Serializer: DataStreamSerializer>(
        using serializer: Serializer, on queue: DispatchQueue = .main, stream: @escaping Handler<Serializer.SerializedObject, AFError>
    ) -> Self {
        subscribe(stream, on: queue) { [weak self] data in
            let result = Result { try serializer.serialize(data) }.mapError {
                $0.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: $0)))
            }
            self?.notify { [weak self] in if let self { $0.request(self, didParseStream: result) } }
            return result
        }
        return self
    }

    /// Each piece as text in UTF-8, with what is malformed replaced; a character that two pieces share is cut.
    @discardableResult
    @preconcurrency
    public func responseStreamString(on queue: DispatchQueue = .main, stream: @escaping Handler<String, Never>) -> Self {
        subscribe(stream, on: queue) { .success(String(decoding: $0, as: UTF8.self)) }
        return self
    }

    /// Each piece decoded as `T`; the server must send one value a piece.
    @discardableResult
    @preconcurrency
    public func responseStreamDecodable<T: Decodable & Sendable>(
        of type: T.Type = T.self, on queue: DispatchQueue = .main, using decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = PassthroughPreprocessor(), stream: @escaping Handler<T, AFError>
    ) -> Self {
        responseStream(
            using: DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: preprocessor), on: queue, stream: stream)
    }

    /// Pieces keep their order, on the way through the serialization queue too: each subscriber has a serial queue of its own there.
    private func subscribe<Value: Sendable, Failure: Error>(
        _ handler: @escaping Handler<Value, Failure>, on queue: DispatchQueue,
        parse: @escaping @Sendable (Data) -> Result<Value, Failure>
    ) {
        let token = CancellationToken(self)
        let parsing = DispatchQueue(label: "openmoya.stream", target: serializationQueue)
        let deliver: @Sendable (Event<Value, Failure>, Bool) -> Void = { [weak self] event, isFailure in
            do {
                try handler(Stream(event: event, token: token))
                if isFailure { self?.cancelOnStreamError() }
            } catch {
                self?.cancel()
            }
        }
        let subscriber = Subscriber { data, handled in
            parsing.async {
                let result = parse(data)
                queue.async {
                    var isFailure = false
                    if case .failure = result { isFailure = true }
                    deliver(.stream(result), isFailure)
                    handled()
                }
            }
        } complete: { completion in
            parsing.async { queue.async { deliver(.complete(completion), false) } }
        }
        let completion = content.withLock { content in
            if content.completion == nil { content.subscribers.append(subscriber) }
            return content.completion
        }
        if let completion { return subscriber.complete(completion) }
        if startsWithFirstHandler { resume() }
    }

    private func cancelOnStreamError() {
        if automaticallyCancelOnStreamError { cancel() }
    }

    // MARK: Validation and the response's head

    /// Adds a validator behind those that are there; it runs at the end of the stream.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        content.withLock { $0.validators.add(.custom { request, response, _ in validation(request, response) }) }
        return self
    }

    /// Fails the request with `unacceptableStatusCode` unless the status is one of these.
    @discardableResult
    public func validate<S: Sequence>(statusCode acceptableStatusCodes: S) -> Self where S.Iterator.Element == Int, S: Sendable {
        content.withLock { $0.validators.add(.statusCodes { code in acceptableStatusCodes.contains(code) }) }
        return self
    }

    /// Fails the request with `unacceptableContentType` unless the response's media type is one of these.
    @discardableResult
    public func validate<S: Sequence>(contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S) -> Self
    where S.Iterator.Element == String, S: Sendable {
        content.withLock { $0.validators.add(.contentTypes { _ in Array(acceptableContentTypes()) }) }
        return self
    }

    /// Status 200 to 299, and a media type that the request's `Accept` names, or any if it has none.
    @discardableResult
    public func validate() -> Self {
        content.withLock { $0.validators.addDefaults() }
        return self
    }

    /// Calls `handler` when the response's head has arrived; its content waits until `completionHandler` is called. One handler a request.
    @discardableResult
    @preconcurrency
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (
                _ response: HTTPURLResponse, _ completionHandler: @escaping @Sendable (ResponseDisposition) -> Void
            ) -> Void
    ) -> Self {
        let former = content.withLock { content in
            defer { content.onResponse = { response, completion in queue.async { handler(response, completion) } } }
            return content.onResponse.take()
        }
        withExtendedLifetime(former) {}
        return self
    }

    /// Calls `handler` when the response's head has arrived.
    @discardableResult
    @preconcurrency
    public func onHTTPResponse(on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (HTTPURLResponse) -> Void) -> Self {
        onHTTPResponse(on: queue) { response, completionHandler in
            handler(response)
            completionHandler(.allow)
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Values that a request brings, as an asynchronous sequence; it ends when the request does. Letting go of its iterator stops it.
public struct StreamOf<Element: Sendable>: AsyncSequence, Sendable {
    /// How many values wait for a reader that is slower than they come.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let stream: AsyncStream<Element>

    init(bufferingPolicy: BufferingPolicy, _ build: (AsyncStream<Element>.Continuation) -> Void) {
        stream = AsyncStream(bufferingPolicy: bufferingPolicy) { build($0) }
    }

    /// An iterator over the values that are still to come; a sequence has one reader.
    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator { stream.makeAsyncIterator() }
}

extension Request {
    /// Each step of the upload.
    public func uploadProgress(bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in self.onProgress(upload: true) { continuation.yield($0) } }
    }

    /// Each step of the download.
    public func downloadProgress(bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in self.onProgress(upload: false) { continuation.yield($0) } }
    }

    /// Each attempt's final request.
    public func urlRequests(bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded) -> StreamOf<URLRequest> {
        stream(bufferingPolicy) { continuation in
            self.onURLRequestCreation(on: self.underlyingQueue) { continuation.yield($0) }
        }
    }

    /// Each attempt's task.
    public func urlSessionTasks(bufferingPolicy: StreamOf<URLSessionTask>.BufferingPolicy = .unbounded) -> StreamOf<URLSessionTask> {
        stream(bufferingPolicy) { continuation in
            self.onURLSessionTaskCreation(on: self.underlyingQueue) { continuation.yield($0) }
        }
    }

    /// The cURL text of each attempt's final request, without its secrets.
    public func cURLDescriptions(bufferingPolicy: StreamOf<String>.BufferingPolicy = .unbounded) -> StreamOf<String> {
        stream(bufferingPolicy) { continuation in
            self.onURLRequestCreation(on: self.underlyingQueue) { [weak self] _ in
                if let self { continuation.yield(self.cURLDescription()) }
            }
        }
    }

    fileprivate func stream<Element>(
        _ bufferingPolicy: StreamOf<Element>.BufferingPolicy, _ subscribe: (AsyncStream<Element>.Continuation) -> Void
    ) -> StreamOf<Element> {
        StreamOf(bufferingPolicy: bufferingPolicy) { continuation in
            subscribe(continuation)
            self.tellEnd(to: StreamEnd(continuation))
        }
    }
}

extension DataRequest {
    /// The head of each attempt's response. It takes the place of a handler that `onHTTPResponse` was given.
    public func httpResponses(bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in
            self.onHTTPResponse(on: self.underlyingQueue) { continuation.yield($0) }
        }
    }
}

extension DataStreamRequest {
    /// The head of each attempt's response. It takes the place of a handler that `onHTTPResponse` was given.
    public func httpResponses(bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in
            self.onHTTPResponse(on: self.underlyingQueue) { continuation.yield($0) }
        }
    }

    /// The stream of this request as asynchronous sequences.
    public func streamTask() -> DataStreamTask { DataStreamTask(self) }
}

/// A stream for `async` code. A reader that does not keep up slows the server down only as far as the handlers of ``DataStreamRequest`` do:
/// what was handed over waits in memory, within the buffering policy.
public struct DataStreamTask: Sendable {
    /// A piece, or the end.
    public typealias Stream<Success: Sendable, Failure: Error> = StreamOf<DataStreamRequest.Stream<Success, Failure>>

    private let request: DataStreamRequest

    init(_ request: DataStreamRequest) { self.request = request }

    /// Each piece as data, then the end.
    public func streamingData(
        automaticallyCancelling shouldCancel: Bool = true, bufferingPolicy: Stream<Data, Never>.BufferingPolicy = .unbounded
    ) -> Stream<Data, Never> {
        stream(shouldCancel, bufferingPolicy) { queue, handler in request.responseStream(on: queue, stream: handler) }
    }

    /// Each piece as text, then the end.
    public func streamingStrings(
        automaticallyCancelling shouldCancel: Bool = true, bufferingPolicy: Stream<String, Never>.BufferingPolicy = .unbounded
    ) -> Stream<String, Never> {
        stream(shouldCancel, bufferingPolicy) { queue, handler in request.responseStreamString(on: queue, stream: handler) }
    }

    /// Each piece decoded, then the end.
    public func streamingDecodables<T: Decodable & Sendable>(
        _ type: T.Type = T.self, automaticallyCancelling shouldCancel: Bool = true, using decoder: any DataDecoder = JSONDecoder(),
        bufferingPolicy: Stream<T, AFError>.BufferingPolicy = .unbounded
    ) -> Stream<T, AFError> {
        stream(shouldCancel, bufferingPolicy) { queue, handler in
            request.responseStreamDecodable(of: T.self, on: queue, using: decoder, stream: handler)
        }
    }

    /// What `serializer` makes of each piece, then the end.
    public func streamingResponses<Serializer: DataStreamSerializer>(
        serializedUsing serializer: Serializer, automaticallyCancelling shouldCancel: Bool = true,
        bufferingPolicy: Stream<Serializer.SerializedObject, AFError>.BufferingPolicy = .unbounded
    ) -> Stream<Serializer.SerializedObject, AFError> {
        stream(shouldCancel, bufferingPolicy) { queue, handler in
            request.responseStream(using: serializer, on: queue, stream: handler)
        }
    }

    /// Cancels the request.
    public func cancel() { request.cancel() }
    /// Goes on with a suspended request.
    public func resume() { request.resume() }
    /// Suspends the request.
    public func suspend() { request.suspend() }

    private func stream<Success, Failure: Error>(
        _ cancels: Bool, _ bufferingPolicy: Stream<Success, Failure>.BufferingPolicy,
        _ subscribe: (DispatchQueue, @escaping DataStreamRequest.Handler<Success, Failure>) -> DataStreamRequest
    ) -> Stream<Success, Failure> {
        StreamOf(bufferingPolicy: bufferingPolicy) { continuation in
            continuation.onTermination = { [weak request] reason in
                if cancels, case .cancelled = reason { request?.cancel() }
            }
            _ = subscribe(DispatchQueue(label: "openmoya.stream-task")) { stream in
                continuation.yield(stream)
                if case .complete = stream.event { continuation.finish() }
            }
            request.resume()
        }
    }
}

/// Ends a stream behind the values that come over the request's queue.
private final class StreamEnd<Element>: RequestObserver {
    private let continuation: AsyncStream<Element>.Continuation

    init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

    func requestIsOver(_ request: Request) {
        request.underlyingQueue.async { [continuation] in continuation.finish() }
    }
}

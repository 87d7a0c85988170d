// SPDX-License-Identifier: MIT

import Foundation

/// Sends one request message and receives its response: the seam between the session and what does the network's work.
///
/// A transport follows no redirect, answers no challenge (except with ``TransportAuthentication``), stores no cookie and caches nothing;
/// that is the session's. Implement it to send requests in another way, or to answer them from a script.
public protocol HTTPTransport: AnyObject, Sendable {
    /// What this transport can do; the session refuses, with an error that says so, what it cannot.
    var capabilities: TransportCapabilities { get }

    /// The value for `Accept-Encoding` with the content codings that this transport undoes; `nil` if it undoes none.
    var acceptedContentCodings: String? { get }

    /// The proxies that it sends through, whose challenges the session answers. Default: none.
    var proxy: ProxyPolicy { get }

    /// Begins a transfer. Returns at once, without calling `receiver`.
    ///
    /// A request that must not be sent (``HTTPRequest/validated()``) ends in an error through the receiver like any other failure.
    /// - Returns: what steers the transfer. Letting go of it does not cancel.
    func start(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver) -> any TransferControl

    /// Closes what is idle and refuses further transfers; those under way end by themselves or, with `cancellingTransfers`, at once as
    /// cancelled. May be called more than once.
    func shutDown(cancellingTransfers: Bool)
}

extension HTTPTransport {
    /// None.
    public var proxy: ProxyPolicy { .none }
}

/// Hears of a transfer, on the transport's own thread: answer at once, never block, and leave long work to another thread.
///
/// In order: any number of interim heads; one final head; content, if ``ContentDisposition/stream`` was chosen; one end. Progress comes
/// between. Only the end is certain, and nothing comes behind it.
public protocol TransferReceiver: AnyObject, Sendable {
    /// A 1xx head other than 101 arrived.
    func transferDidReceiveInterimHead(_ head: HTTPResponseHead)

    /// The final response's head arrived; the answer says where its content goes.
    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition

    /// A piece of content arrived for ``ContentDisposition/stream``.
    ///
    /// After `.pause` no more is read from the connection until ``TransferControl/requestMoreContent()``; what was read already may still
    /// come.
    func transferDidReceiveContent(_ bytes: Data) -> ContentDemand

    /// Bytes moved; only with ``TransferOptions/reportsProgress``.
    func transferDidProgress(_ progress: TransferProgress)

    /// The end, exactly once.
    func transferDidFinish(_ outcome: TransferOutcome)
}

extension TransferReceiver {
    /// Does nothing.
    public func transferDidReceiveInterimHead(_ head: HTTPResponseHead) {}
    /// Does nothing.
    public func transferDidProgress(_ progress: TransferProgress) {}
    /// Asks for more.
    public func transferDidReceiveContent(_ bytes: Data) -> ContentDemand { .more }
}

/// Steers a transfer, from any thread; after the end every call does nothing.
public protocol TransferControl: AnyObject, Sendable {
    /// Ends the transfer with an error of kind ``HTTPError/Kind/cancelled``, unless it has ended.
    func cancel()
    /// Stops reading and sending until ``resume()``; the idle timeout stands still meanwhile.
    func suspend()
    /// Undoes one or more ``suspend()``.
    func resume()
    /// The answer that ``ContentDisposition/wait`` put off.
    func decide(_ disposition: ContentDisposition)
    /// The receiver wants content again after it answered ``ContentDemand/pause``.
    func requestMoreContent()
}

/// Whether a receiver takes more content.
public enum ContentDemand: Sendable, Hashable {
    /// Go on.
    case more
    /// Stop reading until ``TransferControl/requestMoreContent()``.
    case pause
}

/// Where a response's content goes.
public enum ContentDisposition: Sendable {
    /// Into memory; it comes with the end. More than `limit` bytes fail the transfer (``HTTPError/Kind/contentTooLarge``).
    case collect(limit: Int)
    /// Into the file at this URL, which is created, or emptied unless `appending`; the directory must be there.
    case file(URL, appending: Bool)
    /// To the receiver, piece by piece.
    case stream
    /// Nowhere; more than `limit` bytes end the transfer without an error, and cost the connection.
    case discard(limit: Int)
    /// The receiver says later, with ``TransferControl/decide(_:)``; nothing is read meanwhile.
    case wait
    /// The transfer ends as cancelled.
    case cancel
}

/// How far a transfer has come; all counts in bytes of content.
public struct TransferProgress: Sendable, Hashable {
    /// Sent so far.
    public var bytesSent: Int64
    /// To be sent; `nil` if unknown.
    public var bytesToSend: Int64?
    /// Received so far, after content codings were undone.
    public var bytesReceived: Int64
    /// To be received as Content-Length says; `nil` if unknown, or if a content coding is undone.
    public var bytesToReceive: Int64?

    /// A state of progress.
    public init(bytesSent: Int64 = 0, bytesToSend: Int64? = nil, bytesReceived: Int64 = 0, bytesToReceive: Int64? = nil) {
        self.bytesSent = bytesSent
        self.bytesToSend = bytesToSend
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
    }
}

/// How a transfer ended.
public struct TransferOutcome: Sendable {
    /// `nil` when the response, and its content as far as it was wanted, is complete.
    public var error: HTTPError?
    /// What ``ContentDisposition/collect(limit:)`` gathered, also if the transfer then failed; otherwise empty.
    public var content: Data
    /// Bytes of content received, after content codings were undone.
    public var bytesReceived: Int64
    /// Fields behind the content (RFC 9110, 6.5).
    public var trailers: HTTPFields
    package private(set) var measurement: TransferMeasurement?
    /// `nil` if nothing was measured.
    public var metrics: TransferMetrics? {
        get { measurement?.metrics }
        set { measurement = newValue.map { TransferMeasurement($0) } }
    }

    /// An end.
    public init(
        error: HTTPError? = nil, content: Data = Data(), bytesReceived: Int64 = 0, trailers: HTTPFields = HTTPFields(),
        metrics: TransferMetrics? = nil
    ) {
        self.init(
            error: error, content: content, bytesReceived: bytesReceived, trailers: trailers,
            measurement: metrics.map { TransferMeasurement($0) })
    }

    package init(
        error: HTTPError?, content: Data = Data(), bytesReceived: Int64 = 0, trailers: HTTPFields = HTTPFields(),
        measurement: TransferMeasurement?
    ) {
        self.error = error
        self.content = content
        self.bytesReceived = bytesReceived
        self.trailers = trailers
        self.measurement = measurement
    }
}

/// Metrics out of line: they are handed on several times for every transfer, and looked at for few.
package final class TransferMeasurement: Sendable {
    package let metrics: TransferMetrics

    package init(_ metrics: TransferMetrics) { self.metrics = metrics }
}

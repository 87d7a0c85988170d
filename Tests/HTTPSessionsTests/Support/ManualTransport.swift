// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting

/// A transport whose transfers move only when the test says so, to put events into an order that a network would show once in a million times.
final class ManualTransport: HTTPTransport {
    let capabilities: TransportCapabilities = [.unfollowedResponses, .backPressure, .streamedBodies, .suspension]
    let acceptedContentCodings: String? = nil
    /// The transfers in the order in which they were started.
    let started = EventRecorder<ManualTransfer>()
    /// What `shutDown` was told.
    let shutDowns = EventRecorder<Bool>()

    func start(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver) -> any TransferControl {
        let transfer = ManualTransfer(request, options, receiver)
        started.record(transfer)
        return transfer
    }

    func shutDown(cancellingTransfers: Bool) { shutDowns.record(cancellingTransfers) }

    /// The transfer with that number, once it was started.
    func transfer(_ number: Int = 0) async throws -> ManualTransfer {
        try await started.wait(for: number + 1)[number]
    }
}

/// One transfer of a ``ManualTransport``.
final class ManualTransfer: TransferControl {
    enum Order: Hashable, Sendable {
        case cancel, suspend, resume, more, decide(String)
    }

    let request: HTTPRequest
    let options: TransferOptions
    let orders = EventRecorder<Order>()
    private let receiver: Locked<(any TransferReceiver)?>

    init(_ request: HTTPRequest, _ options: TransferOptions, _ receiver: any TransferReceiver) {
        self.request = request
        self.options = options
        self.receiver = Locked(receiver)
    }

    /// Ends at once, as an engine does a moment later.
    func cancel() {
        orders.record(.cancel)
        finish(error: HTTPError(.cancelled, attempting: "a test", "it was cancelled"))
    }

    func suspend() { orders.record(.suspend) }
    func resume() { orders.record(.resume) }
    func requestMoreContent() { orders.record(.more) }
    func decide(_ disposition: ContentDisposition) { orders.record(.decide(Self.word(for: disposition))) }

    /// A head arrives; returns the first word of what is to be done with its content.
    @discardableResult
    func respond(_ status: Int, _ fields: HTTPFields = [:]) -> String {
        guard let receiver = receiver.withLock({ $0 }) else { return "ended" }
        return Self.word(for: receiver.transferDidReceiveHead(HTTPResponseHead(status: status, fields: fields)))
    }

    func progress(_ progress: TransferProgress) { receiver.withLock { $0 }?.transferDidProgress(progress) }

    func content(_ text: String) -> ContentDemand? { receiver.withLock { $0 }?.transferDidReceiveContent(Data(text.utf8)) }

    /// The end; the receiver is let go of. A second end is none.
    func finish(_ content: String = "", error: HTTPError? = nil) {
        let receiver = receiver.withLock { receiver in
            defer { receiver = nil }
            return receiver
        }
        receiver?.transferDidFinish(TransferOutcome(error: error, content: Data(content.utf8)))
    }

    private static func word(for disposition: ContentDisposition) -> String {
        switch disposition {
        case .collect: "collect"
        case .file: "file"
        case .stream: "stream"
        case .discard: "discard"
        case .wait: "wait"
        case .cancel: "cancel"
        }
    }
}

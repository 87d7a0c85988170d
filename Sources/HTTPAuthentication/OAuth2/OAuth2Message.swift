// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// A request to an authorization server.
package struct OAuth2Message: Sendable {
    package var method: String
    package var url: URL
    package var fields: HTTPFields
    package var content: Data?

    package init(method: String = "GET", url: URL, fields: HTTPFields = ["Accept": "application/json"], content: Data? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.content = content
    }
}

/// Sends the requests of an ``OAuth2Client``: the seam towards whatever does the network's work.
package protocol OAuth2MessageSending: Sendable {
    /// Returns the response, whatever its status, with the content as it is after content codings were undone.
    ///
    /// It follows no redirect and answers no challenge. Cancelling the task cancels the transfer.
    /// - Throws: ``HTTPError`` of kind ``HTTPError/Kind/contentTooLarge`` if there is more content than `contentLimit` bytes; other errors
    ///   as they come.
    func send(_ message: OAuth2Message, contentLimit: Int) async throws -> (head: HTTPResponseHead, content: Data)
}

/// Sends over a transport.
struct TransportMessageSender: OAuth2MessageSending {
    let transport: any HTTPTransport

    func send(_ message: OAuth2Message, contentLimit: Int) async throws -> (head: HTTPResponseHead, content: Data) {
        let request = HTTPRequest(
            method: message.method, url: message.url, fields: message.fields, body: message.content.map { HTTPBody($0) })
        let control = Locked<(any TransferControl)?>(nil)
        let isCancelled = Locked(false)
        let result: Result<(head: HTTPResponseHead, content: Data), HTTPError> = await awaitingCallback {
            isCancelled.withLock { $0 = true }
            control.withLock { $0 }?.cancel()
        } _: { callback in
            // How long it may take is the client's to say; the transport's own limits for a stalled connection stay.
            let transfer = transport.start(
                request, options: TransferOptions(), receiver: MessageReceiver(contentLimit: contentLimit, callback))
            control.withLock { $0 = transfer }
            // A cancellation that came before this point found nothing to cancel.
            if isCancelled.withLock({ $0 }) { transfer.cancel() }
        }
        return try result.get()
    }
}

/// Collects a response.
private final class MessageReceiver: TransferReceiver {
    typealias Callback = @Sendable (Result<(head: HTTPResponseHead, content: Data), HTTPError>) -> Void

    private let contentLimit: Int
    private let head = Locked<HTTPResponseHead?>(nil)
    private let callback: Callback

    init(contentLimit: Int, _ callback: @escaping Callback) {
        self.contentLimit = contentLimit
        self.callback = callback
    }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition {
        self.head.withLock { $0 = head }
        return .collect(limit: contentLimit)
    }

    func transferDidFinish(_ outcome: TransferOutcome) {
        if let error = outcome.error { return callback(.failure(error)) }
        guard let head = head.withLock({ $0 }) else {
            return callback(
                .failure(HTTPError(.noResponse, attempting: "a request to the authorization server", "there was no response head")))
        }
        callback(.success((head, outcome.content)))
    }
}

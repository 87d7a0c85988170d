// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import Synchronization

/// What the caller of `request` gets when equal requests are sent once: cancels for this caller only.
final class SharedRequest<Target: TargetType>: Cancellable, Sendable {
    typealias Table = InflightRequests<Endpoint, Recipient<Target>>

    private let table: Locked<Table>
    private let ticket: Table.Ticket
    private let wasCancelled = Atomic<Bool>(false)

    init(_ ticket: Table.Ticket, in table: Locked<Table>) {
        self.ticket = ticket
        self.table = table
    }

    var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

    func cancel() {
        guard !wasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        switch table.withLock({ $0.cancelled(ticket) }) {
        case .none: break
        case .cancelTransfer(let transfer): transfer.cancel()
        case .leave(let recipient, let wasSent):
            let error = wasSent ? MoyaError.cancelledInFlight : MoyaError.cancelledUnsent
            recipient.delivery.perform { recipient.finish(.failure(error), after: .nothing) {} }
        }
    }
}

extension MoyaError {
    /// The request was cancelled before it was sent, or a stub before it answered.
    package static var cancelledUnsent: MoyaError {
        .underlying(NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled), nil)
    }

    /// The request was cancelled while it was under way.
    static var cancelledInFlight: MoyaError { .underlying(AFError.explicitlyCancelled, nil) }

    /// Whether this is ``cancelledUnsent``.
    var isCancelledUnsent: Bool {
        guard case .underlying(let error, nil) = self, !(error is AFError) else { return false }
        let bridged = error as NSError
        return bridged.domain == NSURLErrorDomain && bridged.code == NSURLErrorCancelled
    }
}

// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let lettingGo: [TransportScenario] = [
        TransportScenario("a receiver that holds its transfer's control is let go of after the end") { fixture in
            let deinits = EventRecorder<Void>()
            _ = try await fixture.end(deinits)
            _ = try await deinits.wait(for: 1)
        },
        TransportScenario("whoever keeps a control does not keep the receiver beyond the end") { fixture in
            let deinits = EventRecorder<Void>()
            let control = try await fixture.end(deinits)
            _ = try await deinits.wait(for: 1)
            control.cancel()
        },
    ]
}

extension TransportFixture {
    /// Sends a request and waits for the end, which nobody but the transport then holds the receiver for.
    fileprivate func end(_ deinits: EventRecorder<Void>) async throws -> any TransferControl {
        server.enqueue(.ok("x"))
        let receiver = HoldingReceiver(deinits)
        let control = transport.start(HTTPRequest(url: server.url()), options: TransferOptions(), receiver: receiver)
        receiver.control.withLock { $0 = control }
        _ = try await receiver.ends.wait(for: 1)
        return control
    }
}

/// Holds the control of its transfer, as whoever may want to cancel does, and tells when it is let go of.
private final class HoldingReceiver: TransferReceiver {
    let control = Locked<(any TransferControl)?>(nil)
    let ends = EventRecorder<Void>()
    private let deinits: EventRecorder<Void>

    init(_ deinits: EventRecorder<Void>) { self.deinits = deinits }
    deinit { deinits.record(()) }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .collect(limit: 1 << 20) }
    func transferDidFinish(_ outcome: TransferOutcome) { ends.record(()) }
}

// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Dispatch
import HTTPMessages
import HTTPTesting

/// The loop's thread, which stands still in a receiver until it is let go: what is asked of it meanwhile it finds all at once.
final class HeldLoop {
    private let held = DispatchSemaphore(value: 0)

    /// Waits until it stands still. The server sees a request for `/held`.
    init(by transport: CurlTransport, _ server: TestServer) async throws {
        let receiver = RecordingReceiver({ [held] _ in
            held.wait()
            return .collect(limit: 100)
        })
        _ = transport.start(HTTPRequest(url: server.url("/held")), options: TransferOptions(), receiver: receiver)
        do {
            try await receiver.waitForHead()
        } catch {
            letGo()
            throw error
        }
    }

    deinit { letGo() }

    func letGo() { held.signal() }
}
#endif

// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages

extension LoopbackConnection {
    /// All that comes until the other side closes.
    func answer() async -> String {
        await awaitingCallback(onCancel: { self.shutDown() }) { callback in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                while let more = self.receive() { bytes += more }
                callback(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

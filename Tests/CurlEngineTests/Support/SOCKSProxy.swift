// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import AuthenticationSuite
import HTTPMessages

/// A SOCKS5 proxy (RFC 1928) on loopback, which leads to a given port whatever the client asks for.
final class SOCKSProxy: Sendable {
    private let listener: LoopbackListener
    private let asked: Locked<[UInt8]>

    var port: Int { listener.port }

    /// The bytes of the client's request: version, command, address type, address and port.
    var request: [UInt8] { asked.withLock { $0 } }

    init(leadingTo target: Int) throws {
        let asked = Locked<[UInt8]>([])
        self.asked = asked
        listener = try LoopbackListener { client, _ in Self.serve(client, leadingTo: target, asked: asked) }
    }

    private static func serve(_ client: LoopbackConnection, leadingTo target: Int, asked: Locked<[UInt8]>) {
        // The greeting names the client's methods; 0 asks for no authentication.
        guard let greeting = client.receive(exactly: 2), client.receive(exactly: Int(greeting[1])) != nil else { return }
        client.send([5, 0])
        guard let head = client.receive(exactly: 4) else { return }
        var request = head
        var rest = head[3] == 1 ? 6 : 18
        if head[3] == 3 {
            guard let length = client.receive(exactly: 1) else { return }
            request += length
            rest = Int(length[0]) + 2
        }
        guard let address = client.receive(exactly: rest) else { return }
        asked.withLock { $0 = request + address }

        let server = try? LoopbackConnection(to: target)
        client.send([5, server == nil ? 5 : 0, 0, 1, 0, 0, 0, 0, 0, 0])
        if let server { client.join(server) }
    }
}
#endif

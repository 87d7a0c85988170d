// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// A proxy on loopback that knows CONNECT only, and leads to one port whatever the client asks for.
package final class TunnelProxy: Sendable {
    /// What becomes of a request for a tunnel.
    package enum Answer: Sendable {
        case open
        /// 407 with a challenge.
        case ask(String, thenCloses: Bool = false)
        /// Nothing: the connection is closed.
        case close
    }

    /// One request for a tunnel.
    package struct Asked: Sendable {
        package let connection: Int
        package let requestLine: String
        package let credentials: String?
    }

    private let listener: LoopbackListener
    private let recorded: Locked<[Asked]>

    package var port: Int { listener.port }

    /// The requests so far, and the tunnels' connections among them.
    package var requests: [Asked] { recorded.withLock { $0 } }

    /// - Parameter decide: called on a connection's thread.
    package init(leadingTo target: Int, _ decide: @escaping @Sendable (Asked) -> Answer) throws {
        let recorded = Locked<[Asked]>([])
        self.recorded = recorded
        listener = try LoopbackListener { client, index in
            Self.serve(client, index, leadingTo: target) { asked in
                recorded.withLock { $0.append(asked) }
                return decide(asked)
            }
        }
    }

    private static func serve(_ client: LoopbackConnection, _ index: Int, leadingTo target: Int, _ decide: (Asked) -> Answer) {
        while let head = readHead(client) {
            let lines = head.split(separator: "\r\n")
            let field = lines.first { $0.lowercased().hasPrefix("proxy-authorization:") }
            let credentials = field.map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
            switch decide(Asked(connection: index, requestLine: lines.first.map(String.init) ?? "", credentials: credentials)) {
            case .open:
                guard let server = try? LoopbackConnection(to: target) else { return }
                client.send("HTTP/1.1 200 Connection established\r\n\r\n")
                return client.join(server)
            case .ask(let challenge, let thenCloses):
                let ending = thenCloses ? "Connection: close\r\n" : ""
                client.send("HTTP/1.1 407 No\r\nProxy-Authenticate: \(challenge)\r\n\(ending)Content-Length: 2\r\n\r\nno")
                if thenCloses { return }
            case .close: return
            }
        }
    }

    /// A head with the empty line behind it; `nil` at the connection's end.
    private static func readHead(_ client: LoopbackConnection) -> String? {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = client.receive(atMost: 1) else { return nil }
            bytes += byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

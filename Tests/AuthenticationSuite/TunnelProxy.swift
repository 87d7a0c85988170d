// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import Glibc
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

    package let port: Int
    private let listener: Int32
    private let recorded = Locked<[Asked]>([])

    /// The requests so far, and the tunnels' connections among them.
    package var requests: [Asked] { recorded.withLock { $0 } }

    /// - Parameter decide: called on a connection's thread.
    package init(leadingTo target: Int, _ decide: @escaping @Sendable (Asked) -> Answer) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        listener = descriptor
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let recorded = recorded
        Thread.detachNewThread {
            defer { close(descriptor) }
            var count = 0
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                let connection = count
                count += 1
                Thread.detachNewThread {
                    defer { close(client) }
                    Self.serve(client, connection, leadingTo: target) { asked in
                        recorded.withLock { $0.append(asked) }
                        return decide(asked)
                    }
                }
            }
        }
    }

    /// Takes no more connections; those that are there end when their clients close them.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ connection: Int, leadingTo target: Int, _ decide: (Asked) -> Answer) {
        while let head = readHead(client) {
            let lines = head.split(separator: "\r\n")
            let field = lines.first { $0.lowercased().hasPrefix("proxy-authorization:") }
            let credentials = field.map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
            switch decide(Asked(connection: connection, requestLine: lines.first.map(String.init) ?? "", credentials: credentials)) {
            case .open:
                guard let server = connected(to: target) else { return }
                defer { close(server) }
                write(client, Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
                return copy(between: client, and: server)
            case .ask(let challenge, let thenCloses):
                let ending = thenCloses ? "Connection: close\r\n" : ""
                write(client, Array("HTTP/1.1 407 No\r\nProxy-Authenticate: \(challenge)\r\n\(ending)Content-Length: 2\r\n\r\nno".utf8))
                if thenCloses { return }
            case .close: return
            }
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }

    private static func connected(to port: Int) -> Int32? {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var destination = loopback(port: port)
        let isConnected = withUnsafeMutablePointer(to: &destination) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return server }
        close(server)
        return nil
    }

    /// A head with the empty line behind it; `nil` at the connection's end.
    private static func readHead(_ client: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func copy(between one: Int32, and other: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var descriptors = [pollfd(fd: one, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0)]
        while poll(&descriptors, 2, -1) > 0 {
            for (source, target) in [(0, other), (1, one)] where descriptors[source].revents != 0 {
                let count = recv(descriptors[source].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                write(target, Array(buffer[..<count]))
            }
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            sent += count
        }
    }
}
#endif

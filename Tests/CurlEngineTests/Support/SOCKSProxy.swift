// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import Glibc
import HTTPMessages

/// A SOCKS5 proxy (RFC 1928) on loopback for one connection, which leads to a given port whatever the client asks for.
final class SOCKSProxy: Sendable {
    let port: Int
    private let listener: Int32
    private let asked = Locked<[UInt8]>([])

    /// The bytes of the client's request: version, command, address type, address and port.
    var request: [UInt8] { asked.withLock { $0 } }

    init(leadingTo target: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        listener = descriptor
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let asked = asked
        Thread.detachNewThread { Self.serve(descriptor, leadingTo: target, asked: asked) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }

    private static func serve(_ listener: Int32, leadingTo target: Int, asked: Locked<[UInt8]>) {
        defer { close(listener) }
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        // The greeting names the client's methods; 0 asks for no authentication.
        guard let greeting = read(client, 2), read(client, Int(greeting[1])) != nil else { return }
        write(client, [5, 0])
        guard let head = read(client, 4) else { return }
        var request = head
        var rest = head[3] == 1 ? 6 : 18
        if head[3] == 3 {
            guard let length = read(client, 1) else { return }
            request += length
            rest = Int(length[0]) + 2
        }
        guard let address = read(client, rest) else { return }
        asked.withLock { $0 = request + address }

        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        var destination = loopback(port: target)
        let isConnected = withUnsafeMutablePointer(to: &destination) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        write(client, [5, isConnected ? 0 : 5, 0, 1, 0, 0, 0, 0, 0, 0])
        guard isConnected else { return }
        copy(between: client, and: server)
    }

    private static func copy(between one: Int32, and other: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var descriptors = [pollfd(fd: one, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0)]
        while poll(&descriptors, 2, -1) > 0 {
            for (source, target) in [(0, other), (1, one)] where descriptors[source].revents != 0 {
                let count = recv(descriptors[source].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                write(target, Array(buffer[..<count]))
            }
        }
    }

    private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private static func write(_ descriptor: Int32, _ bytes: [UInt8]) {
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
#endif

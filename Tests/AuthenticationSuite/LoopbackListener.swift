// SPDX-License-Identifier: MIT

import Foundation

/// Listens on a port of 127.0.0.1 that the system picks, and serves each connection on a thread of its own.
package final class LoopbackListener: Sendable {
    package let port: Int
    private let listening = ListeningDescriptor()

    /// - Parameter serve: gets a connection, and how many there were before it.
    package init(_ serve: @escaping @Sendable (_ connection: LoopbackConnection, _ index: Int) -> Void) throws {
        let descriptor = listening.number
        var address = sockaddr_in.loopback(port: 0)
        let isListening = address.withAddress { address, length in
            var length = length
            return bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, address, &length) == 0
        }
        guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [listening] in
            var count = 0
            while case let accepted = accept(listening.number, nil, nil), accepted >= 0 {
                let connection = LoopbackConnection(accepted)
                Thread.detachNewThread { [count] in serve(connection, count) }
                count += 1
            }
        }
    }

    /// Takes no more connections; those that are there are not touched.
    package func end() { shutdown(listening.number, Int32(SHUT_RDWR)) }

    deinit { end() }
}

/// Closed when neither the listener nor the thread that accepts needs it any more: somebody else may get its number then.
private final class ListeningDescriptor: Sendable {
    let number = socket(AF_INET, sockaddr_in.streamSocket, 0)

    init() {}

    deinit { close(number) }
}

extension sockaddr_in {
    #if canImport(Glibc)
    static let streamSocket = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
    static let streamSocket = SOCK_STREAM
    #endif

    static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    /// The address as the system's functions take it.
    mutating func withAddress<Result>(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafeMutablePointer(to: &self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

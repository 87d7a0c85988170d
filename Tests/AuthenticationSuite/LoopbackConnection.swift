// SPDX-License-Identifier: MIT

import Foundation

/// One side of a TCP connection on 127.0.0.1, closed with the last reference to it.
package final class LoopbackConnection: Sendable {
    package struct Failure: Error {
        package init() {}
    }

    private let descriptor: Int32

    /// One that was accepted.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    package init(to port: Int) throws {
        descriptor = socket(AF_INET, sockaddr_in.streamSocket, 0)
        var address = sockaddr_in.loopback(port: port)
        let isConnected = address.withAddress { connect(descriptor, $0, $1) == 0 }
        // What is thrown here ends in `deinit`, since all properties are set.
        guard isConnected else { throw Failure() }
    }

    deinit { close(descriptor) }

    /// Sends all of it.
    /// - Returns: `false` if the other side takes no more.
    @discardableResult
    package func send(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Self.sendFlags) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends all of it.
    package func send(_ text: String) { send(text.utf8) }

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// What comes next, or `nil` at the connection's end.
    package func receive(atMost limit: Int = 65_536) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// So many bytes, or `nil` if the connection ends before.
    package func receive(exactly count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    /// Passes on what comes, in both directions, until one side ends.
    package func join(_ other: LoopbackConnection) {
        var descriptors = [descriptor, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&descriptors, 2, -1) > 0 {
            for (index, source, target) in [(0, self, other), (1, other, self)] where descriptors[index].revents != 0 {
                guard let bytes = source.receive(), target.send(bytes) else { return }
            }
        }
    }

    /// Ends it for both sides, from any thread.
    package func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

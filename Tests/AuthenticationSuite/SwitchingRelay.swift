// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Passes connections on, byte for byte, to one server on this machine and later to another: to a client a server that changes its certificate.
package final class SwitchingRelay: Sendable {
    package struct Failure: Error {}

    /// A connection and the one that it is passed on to; they are closed with the last reference.
    private final class Pair: Sendable {
        let client: Int32
        let server: Int32

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        deinit {
            close(client)
            close(server)
        }

        func shutDown() {
            for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private struct State {
        var target: Int
        var pairs: [ObjectIdentifier: Pair] = [:]
        var connectionCount = 0
        var isClosed = false
    }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    /// Where it listens, on 127.0.0.1.
    package let port: Int
    private let listener: Int32
    private let state: Locked<State>

    package init(to target: Int) throws {
        let listener = socket(AF_INET, Self.stream, 0)
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        guard listener >= 0, isListening else { throw Failure() }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        state = Locked(State(target: target))
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// How many connections were made to it.
    package var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// From here on connections go to another server; those that stand are closed.
    package func change(to target: Int) {
        let pairs = state.withLock { state in
            state.target = target
            return Array(state.pairs.values)
        }
        for pair in pairs { pair.shutDown() }
    }

    /// Takes no more connections, and closes those that stand.
    package func end() {
        let pairs = state.withLock { state in
            state.isClosed = true
            return Array(state.pairs.values)
        }
        // Wakes who accepts.
        shutdown(listener, Int32(SHUT_RDWR))
        for pair in pairs { pair.shutDown() }
    }

    private func acceptAll() {
        defer { close(listener) }
        while true {
            let client = accept(listener, nil, nil)
            let target = state.withLock { $0.isClosed ? nil : $0.target }
            guard client >= 0, let target else {
                if client >= 0 { close(client) }
                return
            }
            guard let server = Self.connection(to: target) else {
                close(client)
                continue
            }
            let pair = Pair(client: client, server: server)
            state.withLock { state in
                state.pairs[ObjectIdentifier(pair)] = pair
                state.connectionCount += 1
            }
            Thread.detachNewThread { [self] in pass(pair, from: pair.client, to: pair.server) }
            Thread.detachNewThread { [self] in pass(pair, from: pair.server, to: pair.client) }
        }
    }

    private func pass(_ pair: Pair, from source: Int32, to target: Int32) {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(source, &bytes, bytes.count, 0)
            var sent = 0
            while sent < count {
                let step = bytes[sent..<count].withUnsafeBytes { send(target, $0.baseAddress, $0.count, Self.sendFlags) }
                guard step > 0 else { break }
                sent += step
            }
            if count <= 0 || sent < count { break }
        }
        pair.shutDown()
        state.withLock { _ = $0.pairs.removeValue(forKey: ObjectIdentifier(pair)) }
    }

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    private static func connection(to port: Int) -> Int32? {
        let descriptor = socket(AF_INET, stream, 0)
        var address = loopback(port: port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return descriptor }
        close(descriptor)
        return nil
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}

// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import HTTPMessages
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A socket that closes itself when the last reference to it goes.
final class LoopbackSocket: Sendable {
    let descriptor: Int32
    private let isClosed = Locked(false)

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Not for programs that this one starts, such as the browser.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close() }

    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { closeDescriptor(descriptor) }
    }

    /// A socket that listens on 127.0.0.1, and the port that it got.
    static func listening(port: UInt16) throws(LoopbackRedirect.Failure) -> (LoopbackSocket, Int) {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw LoopbackWakeUp.failure("making a socket") }
        let made = LoopbackSocket(descriptor)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else { throw LoopbackWakeUp.failure("listening on port \(port)") }
        return (made, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// The next connection that waits, if one does.
    func accepted() -> LoopbackSocket? {
        let connection = accept(descriptor, nil, nil)
        return connection >= 0 ? LoopbackSocket(connection) : nil
    }

    /// Adds what has come, up to `limit` bytes in all; `false` if no more will.
    func read(into bytes: inout [UInt8], limit: Int) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            let count = recv(descriptor, &buffer, min(buffer.count, limit - bytes.count), Int32(MSG_DONTWAIT))
            if count > 0 {
                bytes += buffer[..<count]
            } else {
                return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
            }
        }
        return true
    }

    /// Sends bytes that fit into the socket's buffer, then says that no more will come.
    func send(_ bytes: [UInt8]) {
        // A browser that has gone must not end the process, nor one that reads nothing hold it up.
        _ = systemSend(descriptor, bytes, sendFlags)
        shutdown(descriptor, writeEnd)
    }

    /// The descriptors of which something can be read; `nil` if the system cannot say.
    static func wait(for descriptors: [Int32], milliseconds: Int32 = -1) -> Set<Int32>? {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, nfds_t(polled.count), milliseconds) < 0 {
            guard errno == EINTR else { return nil }
        }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd))
    }
}

/// A pipe that ends another thread's wait.
final class LoopbackWakeUp: Sendable {
    let reader: Int32
    private let writer: Int32

    init() throws(LoopbackRedirect.Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure("making a pipe") }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        closeDescriptor(reader)
        closeDescriptor(writer)
    }

    func signal() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    static func failure(_ what: String) -> LoopbackRedirect.Failure {
        LoopbackRedirect.Failure(description: "\(what) failed: \(String(cString: strerror(errno)))")
    }
}

// The system's functions whose names the methods above hide.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
private func systemSend(_ descriptor: Int32, _ bytes: [UInt8], _ flags: Int32) -> Int { send(descriptor, bytes, bytes.count, flags) }

#if canImport(Darwin)
private let streamType = SOCK_STREAM
private let sendFlags = Int32(MSG_DONTWAIT)
private let writeEnd = SHUT_WR
#elseif canImport(Musl)
private let streamType = SOCK_STREAM
private let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
private let writeEnd = Int32(SHUT_WR)
#else
private let streamType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
private let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
private let writeEnd = Int32(SHUT_WR)
#endif
#endif

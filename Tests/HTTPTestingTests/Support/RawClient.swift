// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
private let sendFlags = Int32(MSG_NOSIGNAL)
#else
private let streamSocket = SOCK_STREAM
private let sendFlags: Int32 = 0
#endif

/// A client that is nothing but a socket, so that a test sees every byte. A read that gets nothing for 20 s counts as a reset.
final class RawClient {
    enum End: Equatable { case closed, reset }

    let descriptor: Int32
    private(set) var buffer = Data()

    init(port: Int, receiveBufferSize: Int32? = nil) throws {
        descriptor = socket(AF_INET, streamSocket, 0)
        if var size = receiveBufferSize {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try check(withUnsafeBytes(of: &address) { connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length) })
    }

    init(path: String) throws {
        descriptor = socket(AF_UNIX, streamSocket, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        try check(withUnsafeBytes(of: &address) { connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length) })
    }

    init(ipv6Port port: Int) throws {
        descriptor = socket(AF_INET6, streamSocket, 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(port).bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
        let length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        try check(withUnsafeBytes(of: &address) { connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length) })
    }

    deinit {
        close(descriptor)
    }

    private func check(_ status: Int32) throws {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    var localPort: Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutableBytes(of: &address) {
            getsockname(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Sends all of it; false if the connection breaks.
    @discardableResult
    func send(_ text: String) -> Bool { send(Data(text.utf8)) }

    @discardableResult
    func send(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Foundation.send(descriptor, bytes.baseAddress! + offset, bytes.count - offset, sendFlags)
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    /// Sends a request without content.
    func get(_ target: String, fields: String = "") {
        send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
    }

    /// Reads once; nil while bytes come.
    func receive() -> End? {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 {
            buffer.append(contentsOf: bytes[..<count])
            return nil
        }
        return count == 0 ? .closed : .reset
    }

    /// Reads to the end of the connection.
    func readToEnd() -> (text: String, end: End) {
        while true {
            if let end = receive() { return (takeBuffer(), end) }
        }
    }

    /// Reads until at least `count` bytes are there and takes that many.
    func read(count: Int) -> String {
        while buffer.count < count, receive() == nil {}
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        buffer.removeFirst(min(count, buffer.count))
        return text
    }

    /// Reads up to and with the first `mark`.
    func read(through mark: String) -> String {
        while true {
            if let range = buffer.range(of: Data(mark.utf8)) {
                let text = String(decoding: buffer[..<range.upperBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                return text
            }
            if receive() != nil { return takeBuffer() }
        }
    }

    /// Reads a response that has a Content-Length.
    func readResponse() -> (head: String, body: String) {
        let head = read(through: "\r\n\r\n")
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
        return (head, read(count: length ?? 0))
    }

    private func takeBuffer() -> String {
        defer { buffer = Data() }
        return String(decoding: buffer, as: UTF8.self)
    }
}

extension RawClient {
    /// Runs what blocks until other tasks have done something on a thread of its own: the tasks' threads are few.
    static func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await callbackValue { callback in
            Thread { callback(body()) }.start()
        }
    }
}

/// Hands a value that is not `Sendable` to one other task, which is then the only one to touch it.
struct Kept<Value>: @unchecked Sendable {  // the test hands it over and does not touch it meanwhile
    let value: Value
    init(_ value: Value) { self.value = value }
}

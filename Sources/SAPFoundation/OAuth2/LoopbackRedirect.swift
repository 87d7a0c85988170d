// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Waits on loopback for the one request with which a browser ends a log-in (RFC 8252, 7.3).
///
/// A thread of its own serves one connection after the other: a request for another path gets 404, one that does not come within five seconds is dropped.
final class LoopbackRedirect: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let headLimit = 16_384
    private static let page =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Done</title>"
        + "<p>The log-in page has ended. You can close this window and go back to the program.</p></html>"

    /// The port that is listened on.
    let port: Int
    private let socket: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let path: String

    /// `url`: `http` to 127.0.0.1; port 0 lets the system choose.
    init(_ url: URL) throws {
        guard url.scheme?.lowercased() == "http", url.host == "127.0.0.1" || url.host?.lowercased() == "localhost" else {
            throw Failure(description: "the redirect must lead to http://127.0.0.1")
        }
        path = url.path.isEmpty ? "/" : url.path
        var pipeEnds: [Int32] = [-1, -1]
        guard pipe(&pipeEnds) == 0 else { throw Self.failure("pipe") }
        (wakeReader, wakeWriter) = (pipeEnds[0], pipeEnds[1])
        do {
            (socket, port) = try Self.listen(port: UInt16(clamping: url.port ?? 0))
        } catch {
            close(wakeReader)
            close(wakeWriter)
            throw error
        }
    }

    deinit {
        close(socket)
        close(wakeReader)
        close(wakeWriter)
    }

    /// Calls `completion` with the request target that came, or `nil` after ``stop()``; once.
    func wait(_ completion: @escaping @Sendable (_ target: String?) -> Void) {
        Thread.detachNewThread { [self] in
            while true {
                var descriptors = [
                    pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
                ]
                guard poll(&descriptors, 2, -1) >= 0 || errno == EINTR else { return completion(nil) }
                if descriptors[1].revents != 0 { return completion(nil) }
                guard descriptors[0].revents != 0 else { continue }
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { continue }
                let target = serve(connection)
                close(connection)
                if let target { return completion(target) }
            }
        }
    }

    /// Ends the wait.
    func stop() {
        var byte: UInt8 = 0
        _ = write(wakeWriter, &byte, 1)
    }

    private func serve(_ connection: Int32) -> String? {
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        #if canImport(Darwin)
        var yes: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        guard let target = Self.target(of: readHead(from: connection)) else { return nil }
        let isWanted = target.prefix { $0 != "?" } == path
        let body = isWanted ? Self.page : ""
        let head =
            "HTTP/1.1 \(isWanted ? "200 OK" : "404 Not Found")\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Content-Security-Policy: default-src 'none'\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
        var bytes = Array((head + body).utf8)[...]
        while !bytes.isEmpty {
            // A browser that has gone must not end the process.
            let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.sendFlags) }
            guard count > 0 else { break }
            bytes.removeFirst(count)
        }
        return isWanted ? target : nil
    }

    private func readHead(from connection: Int32) -> String {
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let end = Array("\r\n\r\n".utf8)
        while head.count < Self.headLimit {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            head += buffer[..<count]
            if head.count >= 4, head.suffix(count + 3).indices.contains(where: { head[$0...].starts(with: end) }) { break }
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// The target of a GET request line; `nil` for anything else.
    static func target(of head: String) -> String? {
        let line = head.prefix { !$0.isNewline }.split(separator: " ", omittingEmptySubsequences: false)
        guard line.count == 3, line[0] == "GET", line[1].hasPrefix("/"), line[2].hasPrefix("HTTP/1.") else { return nil }
        return String(line[1])
    }

    private static func listen(port: UInt16) throws -> (Int32, Int) {
        #if canImport(Darwin)
        let descriptor = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = makeSocket()
        #endif
        guard descriptor >= 0 else { throw failure("socket") }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && systemListen(descriptor, 8) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else {
            let error = failure("listening on port \(port)")
            close(descriptor)
            throw error
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func failure(_ what: String) -> Failure { Failure(description: "\(what) failed: \(String(cString: strerror(errno)))") }

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif
}

/// The system's `listen`, which the method above hides.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

#if !canImport(Darwin)
private func makeSocket() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }
#endif
#endif

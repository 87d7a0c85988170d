// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Glibc)
let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
let streamSocket = SOCK_STREAM
#endif

/// Why a test server could not start.
public struct TestServerError: Error, CustomStringConvertible, Sendable {
    /// What went wrong, with the system's reason where it gave one.
    public let description: String

    /// The server was closed while somebody waited for something to happen on it.
    public static let closed = TestServerError(description: "the test server was closed before what was waited for came about")

    init(description: String) { self.description = description }

    static func system(_ action: String) -> TestServerError {
        let code = errno
        return TestServerError(description: "\(action): \(String(cString: strerror(code))) (errno \(code))")
    }
}

/// A socket that listens on loopback or on a path.
struct ListeningSocket {
    let descriptor: Int32
    /// 0 for a Unix-domain socket.
    let port: Int

    init(_ configuration: TestServer.Configuration) throws(TestServerError) {
        try self.init(configuration, listens: true)
    }

    /// A socket that has a port and does not listen on it; nobody else gets that port.
    init(unusedOn address: TestServer.Address) throws(TestServerError) {
        try self.init(TestServer.Configuration { $0.address = address }, listens: false)
    }

    private init(_ configuration: TestServer.Configuration, listens: Bool) throws(TestServerError) {
        var storage = sockaddr_storage()
        let length: socklen_t
        let family: Int32
        switch configuration.address {
        case .ipv4:
            family = AF_INET
            length = Self.fill(&storage, as: sockaddr_in.self) { address in
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            }
        case .ipv6:
            family = AF_INET6
            length = Self.fill(&storage, as: sockaddr_in6.self) { address in
                address.sin6_family = sa_family_t(AF_INET6)
                withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
            }
        case .unixSocket(let path):
            family = AF_UNIX
            let bytes = Array(path.utf8)
            guard bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path), !bytes.isEmpty else {
                throw TestServerError(description: "the socket's path has \(bytes.count) bytes, which a Unix-domain socket cannot have")
            }
            length = Self.fill(&storage, as: sockaddr_un.self) { address in
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            }
        }

        let descriptor = socket(family, streamSocket, 0)
        guard descriptor >= 0 else { throw .system("socket") }
        do throws(TestServerError) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            if listens { Self.set(SO_REUSEADDR, to: 1, on: descriptor) }
            if let size = configuration.receiveBufferSize { Self.set(SO_RCVBUF, to: Int32(clamping: size), on: descriptor) }
            if let size = configuration.sendBufferSize { Self.set(SO_SNDBUF, to: Int32(clamping: size), on: descriptor) }
            let bound = withUnsafeBytes(of: &storage) { bytes in
                bind(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), length)
            }
            guard bound == 0 else { throw .system("bind") }
            guard !listens || listen(descriptor, 1024) == 0 else { throw .system("listen") }
            port = try Self.port(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        // The thread that accepts must not hang on a connection that its client took back.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    private static func fill<Address>(
        _ storage: inout sockaddr_storage, as type: Address.Type, _ body: (inout Address) -> Void
    ) -> socklen_t {
        withUnsafeMutableBytes(of: &storage) { bytes in
            body(&bytes.bindMemory(to: Address.self)[0])
            #if canImport(Darwin)
            bytes[0] = UInt8(MemoryLayout<Address>.size)
            #endif
        }
        return socklen_t(MemoryLayout<Address>.size)
    }

    private static func port(of descriptor: Int32) throws(TestServerError) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard status == 0 else { throw .system("getsockname") }
        return storage.port
    }

    static func set(_ option: Int32, to value: Int32, on descriptor: Int32, level: Int32 = SOL_SOCKET) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

extension sockaddr_storage {
    /// The port of an IPv4 or IPv6 address, else 0. Both families keep it in the same two bytes.
    var port: Int {
        guard Int32(ss_family) == AF_INET || Int32(ss_family) == AF_INET6 else { return 0 }
        return withUnsafeBytes(of: self) { Int($0[2]) << 8 | Int($0[3]) }
    }
}

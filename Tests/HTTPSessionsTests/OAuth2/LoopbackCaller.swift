// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A connection to 127.0.0.1 on which the test sends what it likes.
final class LoopbackCaller: Sendable {
    struct Failure: Error {}

    private let descriptor: Int32

    init(port: Int) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // What is thrown here ends in `deinit`, since all properties are set.
        guard status == 0 else { throw Failure() }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        #if canImport(Darwin)
        _ = systemSend(descriptor, text, 0)
        #else
        _ = systemSend(descriptor, text, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// All that comes until the other side closes.
    func answer() async -> String {
        await awaitingCallback(onCancel: { [descriptor] in _ = shutdown(descriptor, Int32(SHUT_RDWR)) }) { callback in
            Thread.detachNewThread { [descriptor] in
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { bytes += buffer[..<count] }
                callback(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

/// The system's `send`, which the method above hides.
private func systemSend(_ descriptor: Int32, _ text: String, _ flags: Int32) -> Int { send(descriptor, text, text.utf8.count, flags) }
#endif

// SPDX-License-Identifier: MIT

import Foundation

/// A file descriptor of this process.
public struct OpenDescriptor: Sendable, Hashable, CustomStringConvertible {
    /// Its number.
    public let number: Int32
    /// What it stands for, as far as the system tells: a path, or a socket with the port at its other end.
    public let description: String
    /// The port at a TCP connection's other end.
    public let peerPort: Int?

    /// All descriptors that are open at this moment in the whole process, other tests' included.
    public static func all() -> [OpenDescriptor] {
        var numbers: [Int32] = []
        guard let directory = opendir(descriptorDirectory) else { return [] }
        let own = dirfd(directory)
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let number = Int32(name), number != own { numbers.append(number) }
        }
        closedir(directory)
        return numbers.sorted().map { OpenDescriptor($0) }
    }

    private static var descriptorDirectory: String {
        #if os(Linux) || os(Android)
        "/proc/self/fd"
        #else
        "/dev/fd"
        #endif
    }

    private init(_ number: Int32) {
        self.number = number
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutableBytes(of: &storage) { bytes in
            getpeername(number, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        let port = status == 0 ? storage.port : 0
        peerPort = port == 0 ? nil : port
        var target = [CChar](repeating: 0, count: 1024)
        let count = readlink("\(Self.descriptorDirectory)/\(number)", &target, target.count - 1)
        let name = count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : "descriptor"
        description = port == 0 ? "\(number): \(name)" : "\(number): \(name) to port \(port)"
    }
}

/// How many file descriptors are open at this moment in the whole process, other tests' included.
public func openFileDescriptorCount() -> Int {
    OpenDescriptor.all().count
}

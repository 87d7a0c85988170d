// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import Glibc
import HTTPMessages

/// Where a response's content goes, once it is decided.
enum ContentSink {
    case undecided
    case memory(Data, limit: Int)
    case file(descriptor: Int32, name: String)
    case receiver
    case nowhere(remaining: Int)

    /// What came of a piece of content.
    enum Result {
        case taken
        /// It is for the receiver.
        case forReceiver
        /// More than may be discarded: the response counts as complete.
        case enough
        case failed(HTTPError.Kind, String)
    }

    /// How much is reserved on a server's word alone.
    private static let largestReservation = 1 << 20

    /// - Parameter expected: the declared length of what will arrive, if it is known.
    static func memory(expected: Int64?, limit: Int) -> ContentSink {
        var content = Data()
        if let expected, expected > 16_384 { content.reserveCapacity(min(limit, Int(min(expected, Int64(largestReservation))))) }
        return .memory(content, limit: limit)
    }

    /// Opens the file, which is emptied unless `appending`. What has to wait for somebody, as a named pipe has, must not hold up the loop:
    /// it fails.
    static func opened(_ file: URL, appending: Bool) throws(SinkFailure) -> ContentSink {
        guard file.isFileURL else { throw SinkFailure(reason: "the destination is not a file URL") }
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (appending ? O_APPEND : O_TRUNC)
        let descriptor = file.withUnsafeFileSystemRepresentation { path in path.map { open($0, flags, 0o666) } ?? -1 }
        guard descriptor >= 0 else {
            throw SinkFailure(reason: "\(file.lastPathComponent) cannot be opened for writing: \(SystemError.text(errno))")
        }
        return .file(descriptor: descriptor, name: file.lastPathComponent)
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Result {
        switch self {
        case .undecided, .receiver: return .forReceiver
        case .memory(var content, let limit):
            guard bytes.count <= limit - content.count else {
                return .failed(
                    .contentTooLarge, "the content is longer than the \(limit) bytes that may be collected; stream it, or raise the limit")
            }
            self = .undecided  // so that the content is not copied
            content.append(bytes.bindMemory(to: UInt8.self))
            self = .memory(content, limit: limit)
            return .taken
        case .file(let descriptor, let name):
            var rest = bytes
            while !rest.isEmpty {
                let count = write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return .failed(.destinationNotWritable, "writing to \(name) failed: \(SystemError.text(errno))") }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return .taken
        case .nowhere(let remaining):
            self = .nowhere(remaining: remaining - bytes.count)
            return bytes.count > remaining ? .enough : .taken
        }
    }

    /// Closes a file; `nil` if all went well.
    mutating func close() -> SinkFailure? {
        guard case .file(let descriptor, let name) = self else { return nil }
        self = .undecided
        guard Glibc.close(descriptor) != 0, errno != EINTR else { return nil }
        return SinkFailure(reason: "writing to \(name) failed: \(SystemError.text(errno))")
    }

    /// What was gathered in memory.
    var content: Data {
        if case .memory(let content, _) = self { return content }
        return Data()
    }
}

/// Why a file cannot be written.
struct SinkFailure: Error {
    var reason: String
}
#endif

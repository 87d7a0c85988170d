// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import Glibc
import HTTPMessages

/// Reads pieces that are there before they are sent.
struct SegmentReader {
    private let segments: [HTTPBody.Segment]
    private var index = 0
    private var offset: Int64 = 0
    private var descriptor: Int32 = -1

    init(_ segments: [HTTPBody.Segment]) { self.segments = segments }

    /// Fills the buffer as far as it goes, across pieces, since each call costs libcurl a call of its own to the system.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySender.Answer {
        var filled = 0
        while filled < buffer.count, index < segments.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count: Int
            switch segments[index] {
            case .data(let data):
                count = min(room.count, data.count - Int(offset))
                data.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<(Int(offset) + count)])) }
            case .file(let file, let length):
                switch readFile(file, length: length, into: room) {
                case .bytes(let read): count = read
                case let other: return other
                }
            }
            filled += count
            offset += Int64(count)
            if offset == segments[index].length { advance() }
        }
        return .bytes(filled)
    }

    private mutating func readFile(_ file: URL, length: Int64, into room: UnsafeMutableRawBufferPointer) -> BodySender.Answer {
        let name = file.lastPathComponent
        if descriptor < 0 {
            // A named pipe would otherwise hold up the loop until somebody writes to it.
            let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
            descriptor = file.withUnsafeFileSystemRepresentation { path in path.map { open($0, flags) } ?? -1 }
            guard descriptor >= 0 else { return .failed(.bodyUnreadable, "\(name) cannot be opened: \(SystemError.text(errno))") }
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        }
        let wanted = Int(min(Int64(room.count), length - offset))
        var count = 0
        if wanted > 0 {
            repeat { count = pread(descriptor, room.baseAddress, wanted, off_t(offset)) } while count < 0 && errno == EINTR
            guard count >= 0 else { return .failed(.bodyUnreadable, "reading \(name) failed: \(SystemError.text(errno))") }
            guard count > 0 else { return Self.changed(name, "shorter") }
        }
        if offset + Int64(count) == length {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                return .failed(.bodyUnreadable, "reading \(name) failed: \(SystemError.text(errno))")
            }
            guard Int64(status.st_size) == length else { return Self.changed(name, Int64(status.st_size) > length ? "longer" : "shorter") }
        }
        return .bytes(count)
    }

    private static func changed(_ name: String, _ how: String) -> BodySender.Answer {
        .failed(.bodyLengthMismatch, "\(name) became \(how) while it was sent; send a copy that nobody writes to")
    }

    private mutating func advance() {
        close()
        index += 1
        offset = 0
    }

    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
#endif

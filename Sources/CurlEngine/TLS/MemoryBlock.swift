// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation

/// Bytes at a fixed address, for options that libcurl reads from where they are; wiped when they are let go of.
final class MemoryBlock: @unchecked Sendable {  // never changed after init
    let bytes: UnsafeRawBufferPointer

    init(_ data: Data) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, data.count), alignment: 1)
        data.withUnsafeBytes { copy.copyMemory(from: $0) }
        bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<data.count])
    }

    deinit {
        let memory = UnsafeMutableRawBufferPointer(mutating: bytes)
        if let base = memory.baseAddress { explicit_bzero(base, memory.count) }
        memory.deallocate()
    }
}
#endif

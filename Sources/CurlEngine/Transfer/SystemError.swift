// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import Glibc

/// What the system says about an error number.
enum SystemError {
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        // glibc has two functions of this name; Swift imports the one that fills the buffer.
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return buffer.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
#endif

// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPSessions

@Suite struct TemporaryFileTests {
    @Test func `one name tells nothing of the next`() throws {
        let names = (0..<100).map { _ in TemporaryFile.next().deletingPathExtension().lastPathComponent }
        let parts = try names.map { try #require($0.split(separator: "-").last) }
        #expect(Set(parts).count == names.count)
        let steps = zip(parts.compactMap { UInt64($0) }, parts.compactMap { UInt64($0) }.dropFirst()).map { $1 &- $0 }
        #expect(steps.count == names.count - 1 && Set(steps).count == steps.count, "\(names.prefix(3))")
    }
}

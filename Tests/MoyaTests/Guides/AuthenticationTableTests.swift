// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The guide's table says what works where; what it says is tested is.
@Suite struct AuthenticationTableTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `each number in the table is a test that there is, and each cell has a number or a reason`() throws {
        let guide = try String(contentsOf: Self.root.appendingPathComponent("Sources/Moya/Moya.docc/Authentication.md"), encoding: .utf8)
        let section = try #require(guide.range(of: "## What works where")).upperBound
        let lines = guide[section...].split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| ") }.dropFirst(2).map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let sources = try Self.testSources()

        var named: [Int: String] = [:]
        for line in lines {
            guard let match = line.wholeMatch(of: /(\d+)\. `(\w+)`: (.+)/), let number = Int(match.1) else { continue }
            named[number] = String(match.3)
            let isThere = sources.contains { $0.contains("struct \(match.2)") && $0.contains("func `\(match.3)`") }
            #expect(isThere, "there is no test \(match.2) \(match.3)")
        }
        #expect(rows.count > 10)
        for row in rows {
            #expect(row.count == 6, "\(row)")
            for cell in row.dropFirst() {
                if let match = cell.wholeMatch(of: /yes \((\d+)\)/) {
                    #expect(named[Int(match.1) ?? 0] != nil, "\(row[0]): \(cell) names no test")
                } else {
                    #expect(cell.hasPrefix("no") || cell.hasPrefix("as "), "\(row[0]): \(cell)")
                }
            }
        }
    }

    private static func testSources() throws -> [String] {
        let files = try #require(
            FileManager.default.enumerator(at: root.appendingPathComponent("Tests"), includingPropertiesForKeys: nil))
        return try files.compactMap { file in
            guard let file = file as? URL, file.pathExtension == "swift" else { return nil }
            return try String(contentsOf: file, encoding: .utf8)
        }
    }
}

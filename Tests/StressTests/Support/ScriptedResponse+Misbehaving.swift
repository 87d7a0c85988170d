// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting

extension ScriptedResponse {
    /// A response that goes wrong, or not, as chance has it.
    static func misbehaving(using random: inout SeededGenerator) -> ScriptedResponse {
        let size = [0, 3, 700, 20_000, 300_000][Int.random(in: 0..<5, using: &random)]
        let content = Data(repeating: UInt8.random(in: 97...122, using: &random), count: size)
        let response: ScriptedResponse =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: .chunked([Chunk(content), "tail"], trailers: ["X-Trailer": "1"])
            case 1: ScriptedResponse(200, content: .untilClose(content))
            case 2: .ok(content).interim(103).interim(102)
            case 3: .redirect(to: "/elsewhere")
            default: .ok(content)
            }
        let offset = Int.random(in: 0..<max(1, size + 200), using: &random)
        let phases: [ExchangePhase] = [
            .requestHead, .requestBody(offset / 2), .responseStart, .responseHead(offset % 120), .responseHeadEnd, .responseBody(offset),
            .responseEnd,
        ]
        let phase = phases[Int.random(in: 0..<phases.count, using: &random)]
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return response.reset(at: phase)
        case 1: return response.closed(at: phase)
        case 2: return .ok(content).declaringLength(size + 1 + offset)
        case 3: return .ok(content).declaringLength(size / 2).closing()
        case 4: return ScriptedResponse(200, content: .chunks([Chunk(content)], isTerminated: false)).closing()
        case 5: return .chunked([Chunk(content, sizeLine: "zz")]).closing()
        case 6: return .serviceUnavailable
        case 7: return response.early()
        case 8: return .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")
        default: return response
        }
    }
}

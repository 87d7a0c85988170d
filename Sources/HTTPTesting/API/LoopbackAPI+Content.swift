// SPDX-License-Identifier: MIT

import Foundation

extension LoopbackAPI {
    func bytes(_ count: String, _ request: RecordedRequest) -> ScriptedResponse {
        guard let count = Int(count), count >= 0 else { return Self.badRequest("the number of bytes is no number") }
        var random = SeededGenerator(seed: request.queryItems["seed"].flatMap { UInt64($0) } ?? 0)
        var block = Data(capacity: min(count, 1 << 16) + 8)
        while block.count < min(count, 1 << 16) {
            withUnsafeBytes(of: random.next().littleEndian) { block.append(contentsOf: $0) }
        }
        return .repeating(block, count: count)
    }

    func range(_ count: String, _ request: RecordedRequest) -> ScriptedResponse {
        guard let count = Int(count), count >= 0 else { return Self.badRequest("the number of bytes is no number") }
        let fields = request.fields
        let tag = "\"range-\(count)\""
        var response = ScriptedResponse(200, fields: ["Content-Type": "text/plain", "ETag": tag, "Accept-Ranges": "bytes"])
        response.content = .repeating(Self.alphabet(from: 0), count: count)
        // Another representation than the one that the client has a part of is sent whole (RFC 9110, 13.1.5).
        if let condition = fields["If-Range"], condition != tag { return response }
        switch Self.range(fields["Range"], of: count) {
        case .whole: return response
        case .unsatisfiable:
            return ScriptedResponse(416, fields: ["Content-Range": "bytes */\(count)", "ETag": tag])
        case .part(let part):
            response.status = 206
            response.fields.append("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)")
            response.content = .repeating(Self.alphabet(from: part.lowerBound), count: part.count)
            return response
        }
    }

    private enum RequestedRange { case whole, unsatisfiable, part(Range<Int>) }

    /// One range of bytes; anything else, several of them included, asks for the whole (RFC 9110, 14.2).
    private static func range(_ value: String?, of count: Int) -> RequestedRange {
        guard let value, value.hasPrefix("bytes="), !value.contains(",") else { return .whole }
        let ends = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        guard ends.count == 2 else { return .whole }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first > last: return .whole
        case (let first?, _) where first >= count: return .unsatisfiable
        case (let first?, let last?): return .part(first..<(last < count ? last + 1 : count))
        case (let first?, nil) where ends[1].isEmpty: return .part(first..<count)
        case (nil, let suffix?) where ends[0].isEmpty:
            return suffix == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - suffix)..<count)
        default: return .whole
        }
    }

    private static func alphabet(from offset: Int) -> Data {
        Data((0..<26).map { UInt8(97 + (offset % 26 + $0) % 26) })
    }

    func drip(_ request: RecordedRequest) -> ScriptedResponse {
        let items = request.queryItems
        guard let count = Int(items["numbytes"] ?? "10"), (1...1_000_000).contains(count),
            let duration = Double(items["duration"] ?? "2"), (0...3600).contains(duration)
        else { return Self.badRequest("numbytes or duration is out of range") }
        var response = ScriptedResponse.ok(Data(repeating: UInt8(ascii: "*"), count: count))
        // The head goes out at once; only content drips.
        response.pacing =
            if let name = items["gate"] {
                .released(by: gate(name), pieceSize: 1)
            } else {
                .throttled(pieceSize: 1, pause: .seconds(duration / Double(count)), clock: clock)
            }
        response.pacesHead = false
        return response
    }

    func stream(_ count: String, _ request: RecordedRequest) -> ScriptedResponse {
        guard let count = Int(count), (0...100_000).contains(count) else { return Self.badRequest("the number of lines is out of range") }
        let url = "http://\(request.fields["Host"] ?? "")\(request.target)"
        let lines = (0..<count).map { number in
            ScriptedResponse.Chunk(Data((JSONValue.object([("id", .int(number)), ("url", .string(url))]).text + "\n").utf8))
        }
        return .chunked(lines, fields: ["Content-Type": "application/json"])
    }

    func compressed(_ request: RecordedRequest, coding: String) -> ScriptedResponse {
        let json: JSONValue = ["coding": .string(coding), "headers": JSONValue(request.fields), "method": .string(request.method)]
        let data = Data(json.text.utf8)
        return ScriptedResponse(
            200, fields: ["Content-Type": "application/json", "Content-Encoding": coding],
            content: .bytes(coding == "gzip" ? StoredCompression.gzip(data) : StoredCompression.zlib(data)))
    }

    func tagged(_ tag: String, _ request: RecordedRequest) -> ScriptedResponse {
        guard !tag.utf8.contains(where: { $0 < 0x21 || $0 == 0x22 || $0 == 0x7f }) else { return Self.badRequest("this is no entity tag") }
        let quoted = "\"\(tag)\""
        let known = request.fields.values("If-None-Match").joined(separator: ",").split(separator: ",").map { $0.drop { $0 == " " } }
        let isKnown = known.contains { $0 == "*" || $0 == quoted || $0 == "W/\(quoted)" }
        var response = isKnown ? ScriptedResponse(304) : ScriptedResponse.json(echo(request, withContent: false))
        response.fields.append("ETag", quoted)
        return response
    }

    func cached(_ seconds: String, _ request: RecordedRequest) -> ScriptedResponse {
        guard let seconds = Int(seconds), seconds >= 0 else { return Self.badRequest("the number of seconds is no number") }
        let fields = request.fields
        let isConditional = fields.contains("If-None-Match") || fields.contains("If-Modified-Since")
        var response = isConditional ? ScriptedResponse(304) : ScriptedResponse.json(echo(request, withContent: false))
        response.fields.append("Cache-Control", "public, max-age=\(seconds)")
        response.fields.append("ETag", "\"cache\"")
        return response
    }
}

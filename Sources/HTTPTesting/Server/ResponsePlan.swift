// SPDX-License-Identifier: MIT

import Foundation

/// What a scripted response comes to on the wire for one request: the bytes of its heads, whether content follows, how it ends.
struct ResponsePlan {
    let head: Data
    let ending: ScriptedResponse.Ending
    private let content: ScriptedResponse.Content?

    init(_ response: ScriptedResponse, method: String, requestAsksForClose: Bool) {
        if let verbatim = response.verbatim {
            head = verbatim
            content = nil
            ending = response.ending ?? .close
            return
        }
        let status = response.status
        let forbidsContent = method == "HEAD" || status == 204 || status == 304 || (100..<200).contains(status)
        let sendsContent = !forbidsContent || response.sendsForbiddenContent
        content = sendsContent ? response.content : nil
        let announcesClose = Self.announcesClose(response, requestAsksForClose: requestAsksForClose, sendsContent: sendsContent)
        ending = response.ending ?? (announcesClose || (sendsContent && Self.isCutShort(response)) ? .close : .keepAlive)

        var bytes = Data(capacity: 256)
        for interim in response.interimHeads {
            Self.append(status: interim.status, reason: nil, interim.fields, to: &bytes)
            bytes.append(contentsOf: [13, 10])
        }
        Self.append(status: status, reason: response.reason, response.fields, to: &bytes)
        let omitsLength = (status == 204 || status == 304 || (100..<200).contains(status)) && !response.sendsForbiddenContent
        Self.appendFraming(of: response, omitsLength: omitsLength, to: &bytes)
        if announcesClose, !response.fields.contains("Connection") { Self.append("Connection", "close", to: &bytes) }
        bytes.append(contentsOf: [13, 10])
        head = bytes
    }

    /// Head and content in one piece where that is small, so that an ordinary response is one write.
    func wholeIfSmall() -> Data? {
        switch content {
        case nil: head
        case .bytes(let data) where data.count <= 64 * 1024, .untilClose(let data) where data.count <= 64 * 1024: head + data
        case .bytes, .untilClose, .repeating, .chunks: nil
        }
    }

    /// The message body in pieces of a bounded size, or one a chunk.
    func forEachPiece(_ body: (Data) throws(ExchangeEnd) -> Void) throws(ExchangeEnd) {
        switch content {
        case nil: return
        case .bytes(let data), .untilClose(let data): try body(data)
        case .repeating(let pattern, let count):
            guard !pattern.isEmpty, count > 0 else { return }
            var block = Data(capacity: 256 * 1024 + pattern.count)
            repeat { block.append(pattern) } while block.count < min(count, 256 * 1024)
            var missing = count
            while missing > 0 {
                let piece = block.prefix(missing)
                try body(piece)
                missing -= piece.count
            }
        case .chunks(let chunks, let trailers, let isTerminated):
            for chunk in chunks {
                var bytes = Data(capacity: chunk.data.count + 16)
                bytes.append(contentsOf: (chunk.sizeLine ?? String(chunk.data.count, radix: 16)).utf8)
                bytes.append(contentsOf: [13, 10])
                bytes.append(chunk.data)
                bytes.append(contentsOf: [13, 10])
                try body(bytes)
            }
            guard isTerminated else { return }
            var end = Data("0\r\n".utf8)
            for field in trailers { Self.append(field.name, field.value, to: &end) }
            end.append(contentsOf: [13, 10])
            try body(end)
        }
    }

    private static func announcesClose(_ response: ScriptedResponse, requestAsksForClose: Bool, sendsContent: Bool) -> Bool {
        if case .untilClose = response.content, sendsContent, response.ending == nil { return true }
        if let connection = response.fields["Connection"] { return connection.lowercased().contains("close") }
        return switch response.ending {
        case .close: true
        case .keepAlive, .reset: false
        case nil: requestAsksForClose
        }
    }

    /// Whether the client would wait for ever for content that does not come.
    private static func isCutShort(_ response: ScriptedResponse) -> Bool {
        let declared = response.declaredLength ?? response.fields["Content-Length"].flatMap { Int($0) }
        return switch response.content {
        case .bytes(let data): declared.map { $0 > data.count } ?? false
        case .repeating(_, let count): declared.map { $0 > count } ?? false
        case .chunks(_, _, let isTerminated): !isTerminated
        case .untilClose: true
        }
    }

    private static func appendFraming(of response: ScriptedResponse, omitsLength: Bool, to bytes: inout Data) {
        let fields = response.fields
        if let declared = response.declaredLength { append("Content-Length", String(declared), to: &bytes) }
        switch response.content {
        case .bytes(let data): appendLength(data.count)
        case .repeating(let pattern, let count): appendLength(pattern.isEmpty ? 0 : max(0, count))
        case .chunks:
            if !fields.contains("Transfer-Encoding") { append("Transfer-Encoding", "chunked", to: &bytes) }
        case .untilClose: break
        }

        func appendLength(_ count: Int) {
            let isFramed = response.declaredLength != nil || fields.contains("Content-Length") || fields.contains("Transfer-Encoding")
            if !isFramed, !omitsLength { append("Content-Length", String(count), to: &bytes) }
        }
    }

    private static func append(status: Int, reason: String?, _ fields: FieldList, to bytes: inout Data) {
        bytes.append(contentsOf: "HTTP/1.1 \(status) \(reason ?? ReasonPhrase.of(status))\r\n".utf8)
        for field in fields { append(field.name, field.value, to: &bytes) }
    }

    private static func append(_ name: String, _ value: String, to bytes: inout Data) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: [58, 32])
        bytes.append(contentsOf: value.utf8)
        bytes.append(contentsOf: [13, 10])
    }
}

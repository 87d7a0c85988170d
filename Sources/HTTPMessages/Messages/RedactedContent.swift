// SPDX-License-Identifier: MIT

/// Takes out of a message's content, for logs, what its names say is a secret: items of a form, members of JSON.
package enum RedactedContent {
    /// The text without the values of secrets. JSON is known by its first character, a form by its media type or by its first item.
    package static func redact(_ text: String, contentType: String? = nil) -> String {
        switch text.utf8.first(where: { !isSpace($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): redact(json: text)
        default: isForm(text, contentType) ? SecretNames.redact(items: text) : text
        }
    }

    private static func isForm(_ text: String, _ contentType: String?) -> Bool {
        if let contentType { return contentType.lowercased().hasPrefix("application/x-www-form-urlencoded") }
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return text.utf8[..<equals].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
    }

    /// One walk over the bytes; what is no JSON comes out as it went in, but for strings behind a secret's name.
    private static func redact(json text: String) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\"") else {
                output.append(bytes[position])
                position += 1
                continue
            }
            let nameEnd = endOfString(bytes, from: position)
            output += bytes[position..<nameEnd]
            var next = nameEnd
            while next < bytes.count, isSpace(bytes[next]) { next += 1 }
            defer { position = max(position, nameEnd) }
            guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { continue }
            next += 1
            while next < bytes.count, isSpace(bytes[next]) { next += 1 }
            let name = String(decoding: bytes[(position + 1)..<max(position + 1, nameEnd - 1)], as: UTF8.self)
            guard SecretNames.holdSecret(member: name), let valueEnd = endOfValue(bytes, from: next) else { continue }
            output += bytes[nameEnd..<next]
            output += Array("\"\(SecretNames.placeholder)\"".utf8)
            position = valueEnd
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The end of a string or number; nil for an object, an array and words such as `null`.
    private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "\""): return endOfString(bytes, from: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") || isSpace($0) }
            return end ?? bytes.count
        default: return nil
        }
    }

    /// Behind the closing quote, or the end of the text.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""): return position + 1
            default: position += 1
            }
        }
        return bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}

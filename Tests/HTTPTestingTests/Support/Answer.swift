// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting

/// A response as the raw client reads it, and a way to ask for one.
struct Answer {
    var status: Int
    var fields: FieldList
    var body: String

    /// The content as JSON.
    var json: NSDictionary? {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? NSDictionary
    }
}

extension RawClient {
    /// Sends a request with content of a known length and reads a response with a known length, with none, or chunked.
    func ask(_ method: String, _ target: String, _ fields: FieldList = [:], body: String = "") -> Answer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: host\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        send(text + "\r\n" + body)

        let lines = read(through: "\r\n\r\n").components(separatedBy: "\r\n")
        var answer = Answer(status: Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0, fields: [:], body: "")
        for line in lines.dropFirst() {
            let parts = line.components(separatedBy: ": ")
            if parts.count > 1 { answer.fields.append(parts[0], parts[1...].joined(separator: ": ")) }
        }
        if answer.fields.contains("Transfer-Encoding") {
            while true {
                let size = Int(read(through: "\r\n").prefix { $0.isHexDigit }, radix: 16) ?? 0
                answer.body += read(count: size)
                _ = read(count: 2)
                if size == 0 { break }
            }
        } else if method != "HEAD", let length = answer.fields["Content-Length"].flatMap({ Int($0) }) {
            answer.body = read(count: length)
        }
        return answer
    }
}

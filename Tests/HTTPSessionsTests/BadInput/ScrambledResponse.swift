// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting

/// Bytes that a server sends: a sound response, changed in a few places, pieces of responses in any order, or noise.
enum ScrambledResponse {
    private static let lineEnds = ["\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\n\r\n", ""]

    private static let statusLines = [
        "HTTP/1.1 200 OK", "HTTP/1.1 206 Partial Content", "HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.0 200 OK",
        "HTTP/1.1 302 Found", "HTTP/1.1 307 Temporary Redirect", "HTTP/1.1 401 Unauthorized", "HTTP/1.1 407 Proxy",
        "HTTP/1.1 103 Early Hints",
        "HTTP/1.1 100 Continue", "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 999", "HTTP/1.1 000 ", "HTTP/1.1", "HTTP/2 200",
        "HTTP/9.9 200 OK",
        "HTTP/1.1 -20 OK", "HTTP/1.1 2000 OK", "ICY 200 OK", "http/1.1 200 ok", " HTTP/1.1 200 OK",
    ]

    private static let fields = [
        "Content-Length: 5", "Content-Length: 0", "Content-Length: -1", "Content-Length: 5, 5", "Content-Length: 0x5", "Content-Length:",
        "Content-Length: 18446744073709551616", "Content-Length: 9223372036854775807", "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity", "Content-Encoding: gzip", "Content-Encoding: br", "Content-Encoding: deflate",
        "Content-Encoding: zstd",
        "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip", "Content-Encoding: unheard-of", "Connection: close",
        "Connection: keep-alive",
        "Upgrade: h2c", "Set-Cookie: a=b; Path=/; Expires=Wed, 99 Xyz 20000 99:99:99 GMT; Max-Age=99999999999999999999", "Set-Cookie: =",
        "Set-Cookie: a=b; Domain=.; Secure; HttpOnly; SameSite=", "Set-Cookie: \u{1}\u{2}", "Location: /", "Location: http://[::1",
        "Location: //",
        "Location: ///", "Location: http://", "Location: file:///etc/passwd", "Location: http://127.0.0.1:1/", "Location: ?", "Location: #",
        "Location: \u{0}", "Location: http://a b/", "Location: HTTP://127.0.0.1:99999/", "Location: http://user:pass@127.0.0.1:2/",
        "Location: ../../..",
        "Location: %", "Location: http:relative", "Location: data:text/plain,a", "WWW-Authenticate: Basic realm=\"r\"",
        "WWW-Authenticate: Basic",
        "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "WWW-Authenticate: Digest", "WWW-Authenticate: ,,,\"",
        "WWW-Authenticate: Digest realm=\"\\", "WWW-Authenticate: Digest realm=\"r\", nonce=\"\", qop=\"auth-int\", algorithm=SHA-999",
        "Proxy-Authenticate: Basic realm=\"r\"", "Authentication-Info: nextnonce=\"x\", rspauth=\"y\"", "Retry-After: 99999999999999999999",
        "Content-Type: text/html; charset=\"", "Content-Type: ;;;", "Content-Disposition: attachment; filename=\"../../x\"",
        "Content-Range: bytes 5-/*",
        "Content-Range: bytes 99999999999999999999-1/0", "ETag: \"", "Trailer: X", ": nameless", "no colon", " folded", "X\u{0}Y: z",
        "Ünïcode: ü",
    ]

    private static let contents = [
        "hello", "", "5\r\nhello\r\n0\r\n\r\n", "5;ext=\"\r\n\"\r\nhello\r\n0\r\nX: y\r\n\r\n", "ffffffffffffffff\r\nhello", "zz\r\n",
        "5\r\nhello0\r\n\r\n",
        "\u{1F}\u{8B}", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "--b\r\n\r\n", "{\"a\":", "\u{0}\u{0}\u{0}",
    ]

    static func bytes(seed: UInt64) -> Data {
        var random = SeededGenerator(seed: seed)
        var text = ""
        func one(_ list: [String]) -> String { list[Int.random(in: 0..<list.count, using: &random)] }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let count = Int.random(in: 0..<400, using: &random)
            return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        case 1:
            for _ in 0..<Int.random(in: 1..<12, using: &random) {
                text += one([one(statusLines), one(fields), one(contents)]) + one(lineEnds)
            }
        default:
            for _ in 0..<Int.random(in: 1..<3, using: &random) {
                text += one(statusLines) + "\r\n"
                for _ in 0..<Int.random(in: 0..<6, using: &random) { text += one(fields) + "\r\n" }
                text += "\r\n"
            }
            text += one(contents)
        }
        var bytes = Data(text.utf8)
        for _ in 0..<[0, 0, 1, 3, 10][Int.random(in: 0..<5, using: &random)] where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 40)], at: index)
            default: bytes = Data(bytes[..<index])
            }
        }
        return bytes
    }
}

// SPDX-License-Identifier: MIT

/// What a browser is shown by a ``LoopbackRedirect``: plain HTML that loads nothing and runs nothing.
package struct LoopbackPage: Sendable {
    let status: String
    let title: String
    let paragraphs: [String]
    var fields = ""

    /// The log-in's page has ended. Whether there is a token is told by the program, which asks for it now.
    package static let ended = LoopbackPage(
        status: "200 OK", title: "The log-in page has ended",
        paragraphs: ["You can close this window and go back to the program."])

    /// `reason`: any text, also from a stranger.
    package static func refused(_ reason: String) -> LoopbackPage {
        LoopbackPage(
            status: "400 Bad Request", title: "The log-in did not succeed",
            paragraphs: [reason, "You can close this window and go back to the program."])
    }

    static let over = LoopbackPage(
        status: "410 Gone", title: "This log-in has ended already",
        paragraphs: ["Its answer has come before. You can close this window and go back to the program."])
    static let notFound = LoopbackPage(
        status: "404 Not Found", title: "There is nothing here",
        paragraphs: ["A program waits here for a log-in page, and for nothing else."])
    static let notAllowed = LoopbackPage(
        status: "405 Method Not Allowed", title: "Only GET is answered here", paragraphs: [], fields: "Allow: GET\r\n")
    static let malformed = LoopbackPage(status: "400 Bad Request", title: "This request cannot be read", paragraphs: [])

    /// The response, complete.
    var bytes: [UInt8] {
        let text = paragraphs.map { "<p>\(Self.escaped($0))</p>\n" }.joined()
        let content =
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
            + "<title>\(Self.escaped(title))</title>\n<h1>\(Self.escaped(title))</h1>\n\(text)</html>\n"
        // The address has the code in it: it goes to nobody and is not kept (RFC 6749, 10.3).
        let head =
            "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(content.utf8.count)\r\n"
            + "Content-Security-Policy: default-src 'none'\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
            + "Cache-Control: no-store\r\n\(fields)Connection: close\r\n\r\n"
        return Array((head + content).utf8)
    }

    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}

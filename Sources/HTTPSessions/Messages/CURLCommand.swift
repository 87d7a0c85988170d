// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request as a command line for curl that can be pasted into a shell.
package struct CURLCommand {
    /// What is sent; nil while it is not known.
    package var request: URLRequest?
    /// Fields that the session adds where the request does not set them.
    package var sessionHeaders: HTTPHeaders
    /// What answers a challenge of the server.
    package var credential: URLCredential?
    /// The cookies that go with the request.
    package var cookies: [HTTPCookie]

    package init(
        request: URLRequest?, sessionHeaders: HTTPHeaders = HTTPHeaders(), credential: URLCredential? = nil, cookies: [HTTPCookie] = []
    ) {
        self.request = request
        self.sessionHeaders = sessionHeaders
        self.credential = credential
        self.cookies = cookies
    }

    /// The command. With `redacting`, the values of `Authorization`, `Proxy-Authorization`, `Set-Cookie`, of cookies and of fields and
    /// query items whose names say that they hold a secret are left out, and so are the password and the URL's user info. The body is
    /// shown, without the values of a form's items and of JSON's members with such names.
    package func text(redacting: Bool = true) -> String {
        guard let request, let url = request.url, url.host != nil, let method = request.httpMethod else {
            return "$ curl (there is no request with a host yet)"
        }
        var lines = ["$ curl -v", "-X \(ShellText.argument(method))"]

        if let credential, let user = credential.user, let password = credential.password {
            lines.append("-u \(ShellText.argument("\(user):\(redacting ? SecretNames.placeholder : password)"))")
        }
        if !cookies.isEmpty {
            let pairs = cookies.map { "\($0.name)=\(redacting ? SecretNames.placeholder : $0.value)" }.joined(separator: ";")
            lines.append("-b \(ShellText.quoted(pairs))")
        }
        for header in headers(of: request) where !HTTPFields.equal(header.name, "Cookie") {
            let value = redacting && SecretNames.holdSecret(field: header.name) ? SecretNames.placeholder : header.value
            lines.append("-H \(ShellText.quoted("\(header.name): \(value)"))")
        }
        if let body = request.httpBody {
            if let text = String(data: body, encoding: .utf8) {
                let shown = redacting ? RedactedContent.redact(text, contentType: request.headers["Content-Type"]) : text
                lines.append("-d \(ShellText.quoted(shown))")
            } else {
                lines.append("--data-binary \(ShellText.quoted("<\(body.count) bytes that are not text>"))")
            }
        }
        let target = url.absoluteString
        lines.append(ShellText.quoted(redacting ? SecretNames.redact(url: target) : target))
        return lines.joined(separator: " \\\n\t")
    }

    private func headers(of request: URLRequest) -> HTTPHeaders {
        var headers = sessionHeaders
        for header in request.headers {
            headers.update(header)
        }
        return headers
    }
}

/// Text for a POSIX shell.
private enum ShellText {
    /// The text as one word: as it is if it holds nothing that a shell reads, else quoted.
    static func argument(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"): true
            default: false
            }
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// The text in double quotes. A shell still reads `"`, `$`, a back-tick and a backslash before one of them there.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        var iterator = text.unicodeScalars.makeIterator()
        var next = iterator.next()
        while let scalar = next {
            next = iterator.next()
            switch scalar {
            case "\"", "$", "`": quoted += "\\"
            case "\\" where next.map { "\"$`\\\n".unicodeScalars.contains($0) } ?? true: quoted += "\\"
            default: break
            }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

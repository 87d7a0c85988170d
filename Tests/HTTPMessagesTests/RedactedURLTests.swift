// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

@Suite struct RedactedURLTests {
    @Test(arguments: [
        ("https://u:p@h/a?q#f", "https://h/a?…"), ("https://h/a@b", "https://h/a@b"), ("u:p@h", "h"), ("u:p@h/a@b?c", "h/a@b?…"),
        ("https://a@b:p@h", "https://h"), ("https://h/a#f?g", "https://h/a#…"),
        ("http://u:p/q@h/a", "http://h/a"), ("http://h:80/a@b", "http://h:80/a@b"), ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
        ("/path@x", "/path@x"), ("plain text", "plain text"),
        ("", ""),
    ])
    func `a URL is printed without user information, query and fragment`(text: String, expected: String) {
        #expect(RedactedURL.redact(text) == expected)
    }
}

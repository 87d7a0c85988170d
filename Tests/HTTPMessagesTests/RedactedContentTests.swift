// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

@Suite struct RedactedContentTests {
    @Test(arguments: [
        ("user=a&password=b%26c&x", "user=a&password=<redacted>&x"),
        ("refresh_token=r&grant_type=refresh_token", "refresh_token=<redacted>&grant_type=refresh_token"),
        (#"{"password": "a\"b", "n": "x"}"#, #"{"password": "<redacted>", "n": "x"}"#),
        (
            #"{"access_token":"a","token_type":"Bearer","expires_in":3600}"#,
            #"{"access_token":"<redacted>","token_type":"Bearer","expires_in":3600}"#
        ),
        (
            #"[{"pwd" : -12.5e3},{"token": {"secret":"s", "id": 1}}]"#,
            #"[{"pwd" : "<redacted>"},{"token": {"secret":"<redacted>", "id": 1}}]"#
        ),
        (#"{"password": null, "a": "password", "b": ["token"]}"#, #"{"password": null, "a": "password", "b": ["token"]}"#),
        (#"{"password": "cut o"#, #"{"password": "<redacted>""#), (#"{"password"#, #"{"password"#), (#"{"password":"#, #"{"password":"#),
        (#"{"a\"#, #"{"a\"#), ("plain text with a password = x", "plain text with a password = x"), ("", ""), ("{", "{"),
    ])
    func `values whose names say that they are secrets are left out`(text: String, expected: String) {
        #expect(RedactedContent.redact(text) == expected)
    }

    @Test func `a media type decides what is a form`() {
        #expect(RedactedContent.redact("password=x", contentType: "text/plain") == "password=x")
        #expect(
            RedactedContent.redact("pass word&password=x", contentType: "application/x-www-form-urlencoded; charset=utf-8")
                == "pass word&password=<redacted>")
    }
}

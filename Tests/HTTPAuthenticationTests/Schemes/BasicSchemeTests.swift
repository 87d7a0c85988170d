// SPDX-License-Identifier: MIT

import HTTPAuthentication
import Testing

struct BasicSchemeTests {
    @Test(arguments: [
        // RFC 7617, 2 and 2.1.
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123£", "Basic dGVzdDoxMjPCow=="),
        ("", "", "Basic Og=="),
        ("user", "with:colons:", "Basic dXNlcjp3aXRoOmNvbG9uczo="),
    ])
    func `the user-id and the password are joined by a colon and sent as UTF-8`(userID: String, password: String, expected: String) throws {
        #expect(try BasicScheme.credentials(for: UserCredential(userID: userID, password: password)) == expected)
    }

    @Test(arguments: [
        ("us:er", "x", HTTPAuthenticationError.colonInUserID),
        ("us\ner", "x", .controlCharacterInUserID),
        ("user\u{7F}", "x", .controlCharacterInUserID),
        ("user", "\u{0}", .controlCharacterInPassword),
        ("user", "a\r\nX: y", .controlCharacterInPassword),
    ])
    func `what Basic cannot carry is an error that does not repeat it`(userID: String, password: String, expected: HTTPAuthenticationError)
    {
        #expect(throws: expected) { try BasicScheme.credentials(for: UserCredential(userID: userID, password: password)) }
        #expect(!expected.description.contains(userID))
    }

    @Test func `text is normalized only where the server announces UTF-8`() throws {
        let decomposed = UserCredential(userID: "Jo\u{308}rg", password: "A\u{30A}")

        #expect(try BasicScheme.credentials(for: decomposed) == "Basic Sm/MiHJnOkHMig==")
        #expect(try BasicScheme.credentials(for: decomposed, normalizes: true) == "Basic SsO2cmc6w4U=")
    }

    @Test func `a credential prints neither of its parts`() {
        let credential = UserCredential(userID: "hidden-user", password: "hidden-password")
        var dumped = ""
        dump(credential, to: &dumped)

        for text in ["\(credential)", String(reflecting: credential), dumped, "\(["key": credential])"] {
            #expect(!text.contains("hidden"))
        }
    }
}

// SPDX-License-Identifier: MIT

import HTTPAuthentication
import Testing

struct ChallengeParserTests {
    /// The fields of one response, and what they say: `Scheme`, `Scheme:token68` or `Scheme{name=value|…}`, one after the other.
    @Test(arguments: [
        ([#"Basic realm="simple""#], "Basic{realm=simple}"),
        (["Basic realm=simple"], "Basic{realm=simple}"),
        (["BASIC REALM=simple"], "BASIC{realm=simple}"),
        ([#"Basic realm = "spaced"  "#], "Basic{realm=spaced}"),
        (["Basic realm\t=\t\"tabs\"\t"], "Basic{realm=tabs}"),
        ([#"Basic realm="a \"quoted\" \\ word, and a comma""#], #"Basic{realm=a "quoted" \ word, and a comma}"#),
        ([#"Basic realm="""#], "Basic{realm=}"),
        (["Basic realm=\"a\tb\""], "Basic{realm=a\tb}"),
        ([#"Basic realm="Zugänge ☃""#], "Basic{realm=Zugänge ☃}"),
        ([#"Basic realm="foo=bar, Digest nonce=1""#], "Basic{realm=foo=bar, Digest nonce=1}"),
        ([#"Basic realm="x", charset="UTF-8""#], "Basic{realm=x|charset=UTF-8}"),
        // RFC 9110, 11.6.1: its own example, on one line.
        (
            [#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#],
            #"Basic{realm=simple} Newauth{realm=apps|type=1|title=Login to "apps"}"#
        ),
        (["Negotiate", "NTLM", #"Basic realm="x""#], "Negotiate NTLM Basic{realm=x}"),
        ([#"Negotiate, NTLM, Basic realm="x""#], "Negotiate NTLM Basic{realm=x}"),
        ([#"Basic realm="x", Negotiate"#], "Basic{realm=x} Negotiate"),
        (["Negotiate YII+/w==, NTLM TlRM"], "Negotiate:YII+/w== NTLM:TlRM"),
        (["Negotiate YII="], "Negotiate:YII="),
        (["Scheme token68 "], "Scheme:token68"),
        ([#"Scheme realm=,"#], "Scheme:realm="),
        ([#"Digest nonce=abc/def==, qop=auth"#], "Digest{nonce=abc/def==|qop=auth}"),
        ([#", ,, Basic realm="x",, , charset=utf-8 ,, Negotiate,"#], "Basic{realm=x|charset=utf-8} Negotiate"),
        ([#"Digest , realm="x""#], "Digest{realm=x}"),
        (
            [#"Bearer realm="x" ,error="invalid_token" ,error_description="expired""#],
            "Bearer{realm=x|error=invalid_token|error_description=expired}"
        ),
        (["Weird!#$%&'*+-.^_`|~ a=b"], "Weird!#$%&'*+-.^_`|~{a=b}"),
        (["Basic"], "Basic"),
        ([""], ""),
        ([" , ,"], ""),
        ([], ""),
        // The good survive the bad, beside them and before them.
        ([#"Basic realm="unterminated"#, "Negotiate"], "Negotiate"),
        ([#"Negotiate, Basic realm="unterminated"#], "Negotiate"),
        ([#"Basic realm="x", Digest nonce"#], "Basic{realm=x} Digest:nonce"),
    ])
    func `fields are read as the grammar says`(fields: [String], expected: String) throws {
        #expect(try summary(Challenge.parse(fields)) == expected)
    }

    @Test(arguments: [
        (#"realm="x""#, HTTPAuthenticationError.Syntax.schemeMissing, 0),
        (#"="#, .tokenExpected, 0),
        (#"Basic realm="x" charset=utf-8"#, .separatorExpected, 16),
        (#"Basic realm="x"y"#, .separatorExpected, 15),
        ("Basic realm=two words", .separatorExpected, 16),
        ("Basic realm=", nil, 0),
        ("Basic realm= , charset=utf-8", .parameterAfterToken68, 15),
        ("Basic charset=utf-8, realm=", .valueMissing, 27),
        ("Basic charset=utf-8, realm=,", .valueMissing, 27),
        ("Scheme one two", .valueMissing, 11),
        ("Negotiate abc=, realm=x", .parameterAfterToken68, 16),
        (#"Basic realm="unterminated"#, .quoteUnterminated, 12),
        (#"Basic realm="escaped end\""#, .quoteUnterminated, 12),
        (#"Basic realm="escape at end\"#, .quoteUnterminated, 12),
        (#"Basic realm="x", Realm="y""#, .parameterRepeated, 17),
        ("Basic realm=\"\u{1B}[2J\"", .controlCharacter, 13),
        ("Basic realm=\"a\\\u{7}\"", .controlCharacter, 15),
        ("Basic realm=\"\u{9B}2J\"", .controlCharacter, 14),
        ("Basic realm=\"a\r\nb\"", .controlCharacter, 14),
        ("Basic realm=\"a\u{0}\"", .controlCharacter, 14),
        ("Bäsic realm=x", .separatorExpected, 1),
        ("\u{FFFD}", .tokenExpected, 0),
    ])
    func `what breaks the grammar is refused with its place`(field: String, syntax: HTTPAuthenticationError.Syntax?, offset: Int) throws {
        guard let syntax else {
            #expect(try summary(Challenge.parse([field])) == "Basic:realm=")
            return
        }
        #expect(throws: HTTPAuthenticationError.malformed(syntax, offset: offset)) { try Challenge.parse([field]) }
    }

    @Test func `limits hold over all fields together, and a limit is an error even beside good challenges`() {
        var parser = ChallengeParser()
        parser.byteLimit = 30
        parser.challengeLimit = 3
        parser.parameterLimit = 2

        #expect(throws: HTTPAuthenticationError.fieldsTooLong(limit: 30)) {
            try parser.challenges(in: ["Negotiate", #"Basic realm="0123456789""#])
        }
        #expect(throws: HTTPAuthenticationError.tooManyChallenges(limit: 3)) { try parser.challenges(in: ["a,b", "c,d"]) }
        #expect(throws: HTTPAuthenticationError.tooManyParameters(limit: 2)) { try parser.challenges(in: ["s a=1,b=2,c=3"]) }
        #expect((try? parser.challenges(in: ["a,b", "c x=1,y=2"]).count) == 3)
    }

    @Test func `the defaults are 64 KiB, 64 challenges and 64 parameters`() {
        let many = (0..<65).map { "s\($0)" }.joined(separator: ",")
        let wide = "s " + (0..<65).map { "p\($0)=1" }.joined(separator: ",")

        #expect(throws: HTTPAuthenticationError.tooManyChallenges(limit: 64)) { try Challenge.parse([many]) }
        #expect(throws: HTTPAuthenticationError.tooManyParameters(limit: 64)) { try Challenge.parse([wide]) }
        #expect(throws: HTTPAuthenticationError.fieldsTooLong(limit: 65_536)) {
            try Challenge.parse([String(repeating: ",", count: 65_537)])
        }
    }

    @Test func `schemes compare without case and keep their spelling`() throws {
        let challenge = try #require(try Challenge.parse(["bAsIc realm=x"]).first)

        #expect(challenge.scheme == .basic)
        #expect(challenge.scheme.name == "bAsIc")
        #expect(Set<AuthenticationScheme>([.basic]).contains(challenge.scheme))
        #expect(challenge.scheme != .digest)
        #expect(challenge["REALM"] == "x")
        #expect(challenge.realm == "x")
    }

    @Test func `authentication information is a list of parameters`() throws {
        let information = try AuthenticationInformation.parse([
            #"nextnonce="a b", qop=auth,, rspauth="0123""#, #"cnonce="c",nc=00000001"#,
        ])

        #expect(information.nextNonce == "a b")
        #expect(information.qualityOfProtection == "auth")
        #expect(information.responseAuthentication == "0123")
        #expect(information.clientNonce == "c")
        #expect(information.nonceCount == "00000001")
        #expect(try AuthenticationInformation.parse([]).parameters.isEmpty)
        #expect(throws: HTTPAuthenticationError.malformed(.parameterRepeated, offset: 0)) {
            try AuthenticationInformation.parse(["nc=1", "nc=2"])
        }
        #expect(throws: HTTPAuthenticationError.malformed(.valueMissing, offset: 6)) { try AuthenticationInformation.parse(["Digest"]) }
    }

    private func summary(_ challenges: [Challenge]) -> String {
        challenges.map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
            return challenge.scheme.name + (challenge.token68.map { ":\($0)" } ?? "") + (parameters.isEmpty ? "" : "{\(parameters)}")
        }.joined(separator: " ")
    }
}

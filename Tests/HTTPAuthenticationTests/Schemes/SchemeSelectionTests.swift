// SPDX-License-Identifier: MIT

import HTTPAuthentication
import HTTPMessages
import Testing

struct SchemeSelectionTests {
    @Test(arguments: [
        (#"Basic realm=b, Digest realm=d, nonce=1, Negotiate, NTLM"#, ["Negotiate", "Digest", "NTLM", "Basic"]),
        (#"Basic realm=b, NTLM"#, ["NTLM", "Basic"]),
        (#"basic realm=b, DIGEST realm=d, nonce=1"#, ["DIGEST", "basic"]),
        (#"Bearer realm=x, Basic realm=b"#, ["Basic"]),
        (#"Bearer realm=x"#, []),
        (#"Basic realm=1, Basic realm=2"#, ["Basic", "Basic"]),
    ])
    func `schemes are ordered by strength, unknown ones left out`(field: String, expected: [String]) throws {
        let offers = try offers(field, transportSchemes: [.negotiate, .ntlm])

        #expect(offers.map(\.scheme.name) == expected)
    }

    @Test func `the transport's schemes count only if it can do them`() throws {
        let field = "Negotiate, NTLM, Basic realm=b"

        #expect(try offers(field, transportSchemes: [.ntlm]).map(\.scheme) == [.ntlm, .basic])
        #expect(try offers(field, transportSchemes: []).map(\.scheme) == [.basic])
        #expect(try offers(field, transportSchemes: [.negotiate, .ntlm]).map(\.needsCredential) == [false, true, true])
    }

    @Test(.enabled(if: HashFunction.sha512_256.isAvailable))
    func `Digest's algorithms are ordered by strength, and equals keep the server's order`() throws {
        let offers = try offers(
            """
            Digest realm=1, nonce=n, Digest realm=2, nonce=n, algorithm=SHA-256, Digest realm=3, nonce=n, algorithm=sha-512-256-sess, qop=auth, \
            Digest realm=4, nonce=n, algorithm=MD5, Digest realm=5, nonce=n, algorithm=SHA-256-sess, qop=auth
            """)

        #expect(offers.map(\.challenge.realm) == ["3", "2", "5", "1", "4"])
    }

    @Test(arguments: [
        "Digest realm=d",
        "Digest realm=d, nonce=n, algorithm=SHA-1",
        "Digest realm=d, nonce=n, qop=unknown",
        "Digest realm=d, nonce=n, algorithm=MD5-sess",
        #"Digest realm=d, nonce=n, qop="auth-int""#,
    ])
    func `a Digest challenge that cannot be answered leaves the place to the next scheme`(digest: String) throws {
        #expect(try offers("\(digest), Basic realm=b").map(\.scheme) == [.basic])
    }

    @Test(arguments: [
        ("auth", false, DigestChallenge.Protection.authentication), ("auth", true, .authentication),
        ("auth-int,auth", true, .authentication),
        ("AUTH-INT , Auth", false, .authentication), ("auth-int", true, .integrity), ("auth-int", false, nil), ("", true, .legacy),
        ("foo,auth", false, .authentication),
    ])
    func `auth comes before auth-int, which needs the content's hash`(qop: String, canHash: Bool, expected: DigestChallenge.Protection?)
        throws
    {
        let challenge = try #require(try Challenge.parse([#"Digest realm=d, nonce=n, qop="\#(qop)""#]).first)

        #expect(try DigestChallenge(challenge).protection(canHashContent: canHash) == expected)
    }

    @Test func `the transport's schemes know no realm`() throws {
        let offers = try offers("Negotiate realm=x, Basic realm=b", transportSchemes: [.negotiate])

        #expect(offers.map(\.protectionSpace.realm) == [nil, "b"])
    }

    private func offers(_ field: String, transportSchemes: Set<AuthenticationScheme> = []) throws -> [ChallengeOffer] {
        let origin = try #require(Origin(scheme: "https", host: "example.org"))
        return SchemeSelection.offers(
            in: try Challenge.parse([field]), by: .server(origin), transportSchemes: transportSchemes, canHashContent: false)
    }
}

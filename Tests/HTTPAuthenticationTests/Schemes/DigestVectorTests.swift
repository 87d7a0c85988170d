// SPDX-License-Identifier: MIT

import HTTPAuthentication
import Testing

/// The published examples, and answers computed with Python's hashlib where the RFCs have none.
struct DigestVectorTests {
    private static let mufasa = UserCredential(userID: "Mufasa", password: "Circle of Life")
    private static let jason = UserCredential(userID: "Jäsøn Doe", password: "Secret, or not?")

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `RFC 7616, 3.9.1: the whole field`(algorithm: String, response: String) throws {
        let session = try session(
            """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """, Self.mufasa, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")

        let answer = try session.answer(to: AuthenticatedRequest(method: "GET", target: "/dir/index.html"))

        #expect(
            answer.fieldValue == """
                Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=\(algorithm), \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
                cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\(response)", \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """)
    }

    /// As corrected by erratum 4897: the RFC's own values were computed with something other than SHA-512/256.
    @Test(
        .enabled(if: HashFunction.sha512_256.isAvailable),
        arguments: [
            ("true", #"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#, ", userhash=true"),
            ("false", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe", ""),
        ])
    func `RFC 7616, 3.9.2: SHA-512-256, UTF-8 and userhash`(userHash: String, user: String, end: String) throws {
        let session = try session(
            """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=\(userHash)
            """, Self.jason, clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")

        let answer = try session.answer(to: AuthenticatedRequest(method: "GET", target: "/doe.json"))

        #expect(
            answer.fieldValue == """
                Digest \(user), realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, \
                nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", nc=00000001, \
                cnonce="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", qop=auth, \
                response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", \
                opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS"\(end)
                """)
    }

    @Test func `RFC 2617, 3.5: no algorithm means MD5`() throws {
        let session = try session(
            """
            Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """, UserCredential(userID: "Mufasa", password: "Circle Of Life"), clientNonce: "0a4f113b")

        let answer = try session.answer(to: AuthenticatedRequest(method: "GET", target: "/dir/index.html"))

        #expect(
            answer.fieldValue == """
                Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
                nc=00000001, cnonce="0a4f113b", qop=auth, response="6629fae49393a05397450978507c4ef1", \
                opaque="5ccc069c403ebaf9f0171e9517f40e41"
                """)
    }

    /// As corrected by erratum 749: the RFC printed the answer of another password.
    @Test func `RFC 2069, 2.4: without qop neither count nor client nonce is sent`() throws {
        let session = try session(
            """
            Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """, UserCredential(userID: "Mufasa", password: "CircleOfLife"), clientNonce: "unused")

        let answer = try session.answer(to: AuthenticatedRequest(method: "GET", target: "/dir/index.html"))

        #expect(
            answer.fieldValue == """
                Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
                response="1949323746fe6a43ef61f9606e7febea", opaque="5ccc069c403ebaf9f0171e9517f40e41"
                """)
    }

    @Test(arguments: [
        ("MD5-sess", "auth", "e783283f46242139c486a698fec7211d"),
        ("SHA-256-sess", "auth", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
        ("SHA-512-256", "auth", "430d05014cecc49cab6fbe03176d41a1da86cbfe24a16580e22aaad928d960d0"),
        ("SHA-512-256-sess", "auth", "3f2a34f923c38b0fb26dce2fdfc2ce326c23cecf86fbb1444f3e51fbbc2cb92e"),
        ("MD5", "auth-int", "956b7e5f3d4f334d61d68da04a5f41a2"),
        ("MD5-sess", "auth-int", "d34803cee6ae98b4c60e715d23370b05"),
        ("SHA-256", "auth-int", "64c33a72420ab09f1d24bd0c0600e8463cd9cadf53a91925a0db1f97c5aa3c7b"),
        ("SHA-256-sess", "auth-int", "871049ff27662b3cdb95a78f792d28abf0a5c9d687d0869a18981ec4a4aa9233"),
        ("SHA-512-256", "auth-int", "8bbfa00724b6a0fb7db9313c1933b6c0ed555fd567a1988aa8c25c3674c4a2fa"),
        ("SHA-512-256-sess", "auth-int", "182d8e8d2f1fe971da20191d929d9a1285cba156c0aaa857bba62b9a9097475d"),
    ])
    func `every algorithm, with and without the content`(algorithm: String, qop: String, response: String) throws {
        if algorithm.hasPrefix("SHA-512"), !HashFunction.sha512_256.isAvailable { return }
        let session = try session(
            """
            Digest realm="http-auth@example.org", qop="\(qop)", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
            """, Self.mufasa, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        let request = AuthenticatedRequest(method: qop == "auth" ? "GET" : "POST", target: "/dir/index.html") { function in
            try function.hash(Array("Hello, wörld".utf8))
        }

        let answer = try session.answer(to: request)

        #expect(answer.fieldValue.contains("qop=\(qop), "))
        #expect(answer.fieldValue.contains("response=\"\(response)\""))
    }

    @Test func `quotes and backslashes are hashed as they are and sent escaped`() throws {
        let session = try session(
            #"Digest realm="re\"al\\m", qop=auth, algorithm=SHA-256, nonce=n"#,
            UserCredential(userID: #"a"b\c"#, password: #"p"\"#), clientNonce: "cc")

        let answer = try session.answer(to: AuthenticatedRequest(method: "GET", target: "/"))

        #expect(
            answer.fieldValue == #"""
                Digest username="a\"b\\c", realm="re\"al\\m", uri="/", algorithm=SHA-256, nonce="n", nc=00000001, cnonce="cc", \#
                qop=auth, response="729b903be23e4b493afcc4d2bd2951713668a705cfd35af414f10a0b08903bb8"
                """#)
    }

    private func session(_ field: String, _ credential: UserCredential, clientNonce: String) throws -> DigestSession {
        let challenge = try #require(try Challenge.parse([field]).first)
        return try DigestSession(DigestChallenge(challenge), credential: credential, clientNonces: .constant(clientNonce))
    }
}

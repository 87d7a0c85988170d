// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CredentialsTests {
    private let clock = TestClock()
    private let api: LoopbackAPI
    private let server: TestServer
    private let client: RawClient

    init() throws {
        api = LoopbackAPI(clock: clock, tokenLifetime: .seconds(60))
        server = try .api(api)
        client = try RawClient(port: server.port)
    }

    @Test func `Basic credentials are asked for and checked`() {
        let target = LoopbackRoute.basicAuth.target("ada", "pässword")
        let right = Data("ada:pässword".utf8).base64EncodedString()
        let wrong = Data("ada:password".utf8).base64EncodedString()

        let challenge = client.ask("GET", target)
        #expect(challenge.status == 401)
        #expect(challenge.fields["WWW-Authenticate"] == "Basic realm=\"loopback\", charset=\"UTF-8\"")
        #expect(client.ask("GET", target, ["Authorization": "Basic \(wrong)"]).status == 401)
        #expect(client.ask("GET", target, ["Authorization": "Bearer \(right)"]).status == 401)
        #expect(client.ask("GET", target, ["Authorization": "basic \(right)"]).json == ["authenticated": true, "user": "ada"])
    }

    @Test func `tokens are issued, expire and are refreshed once`() {
        func token(_ form: String) -> Answer {
            client.ask("POST", LoopbackRoute.token.target(), ["Content-Type": "application/x-www-form-urlencoded"], body: form)
        }
        func status(_ token: String) -> Int {
            client.ask("GET", LoopbackRoute.protected.target(), ["Authorization": "Bearer \(token)"]).status
        }

        let issued = token("grant_type=client_credentials")
        #expect(
            issued.json == ["access_token": "access-1", "token_type": "Bearer", "expires_in": 60, "refresh_token": "refresh-1"])
        #expect(issued.fields["Cache-Control"] == "no-store")
        #expect(status("access-1") == 200)
        clock.advance(by: .seconds(59))
        #expect(status("access-1") == 200)
        clock.advance(by: .seconds(1))
        #expect(status("access-1") == 401)

        #expect(token("grant_type=refresh_token&refresh_token=refresh-1").json?["access_token"] as? String == "access-2")
        #expect(status("access-2") == 200)
        #expect(token("grant_type=refresh_token&refresh_token=refresh-1").json == ["error": "invalid_grant"])
        api.expireTokens()
        #expect(status("access-2") == 401)
        #expect(token("grant_type=password&username=a&password=b").status == 200)
        #expect(token("grant_type=password").json == ["error": "invalid_request"])
        #expect(token("grant_type=telepathy").json == ["error": "unsupported_grant_type"])
        #expect(token("a=b").json == ["error": "invalid_request"])
    }

    @Test func `any Bearer token will do where it need not be ours`() {
        #expect(client.ask("GET", LoopbackRoute.bearer.target()).fields["WWW-Authenticate"] == "Bearer realm=\"loopback\"")
        #expect(client.ask("GET", LoopbackRoute.bearer.target(), ["Authorization": "Bearer mine"]).json?["token"] as? String == "mine")
        let foreign = client.ask("GET", LoopbackRoute.protected.target(), ["Authorization": "Bearer mine"])
        #expect(foreign.fields["WWW-Authenticate"]?.contains("error=\"invalid_token\"") == true)
    }

    @Test func `Digest credentials are asked for; wrong ones get another challenge`() {
        let target = LoopbackRoute.digestAuth.target("auth", "ada", "secret")

        let challenge = client.ask("GET", target)
        #expect(challenge.status == 401)
        #expect(
            challenge.fields["WWW-Authenticate"]
                == "Digest realm=\"loopback\", nonce=\"nonce-1\", opaque=\"opaque\", algorithm=MD5, charset=UTF-8, qop=\"auth\"")
        let made = """
            Digest username="ada", realm="loopback", nonce="nonce-1", opaque="opaque", uri="\(target)", qop=auth, nc=00000001, cnonce="c", \
            response="00000000000000000000000000000000"
            """
        #expect(client.ask("GET", target, ["Authorization": made]).status == 401)
        #expect(client.ask("GET", LoopbackRoute.digestAuth.target("maybe", "a", "b")).status == 400)
    }
}

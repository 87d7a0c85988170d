// SPDX-License-Identifier: MIT

import HTTPAuthentication
import HTTPMessages
import Testing

struct DigestSessionTests {
    private let get = AuthenticatedRequest(method: "GET", target: "/")

    @Test func `counts rise by one with each answer, under a client nonce of its own`() throws {
        let session = try session("qop=auth", clientNonces: numbered())

        let answers = try (0..<3).map { _ in try session.answer(to: get).fieldValue }

        #expect(answers.map { parameter("nc", $0) } == ["00000001", "00000002", "00000003"])
        #expect(answers.map { parameter("cnonce", $0) } == ["\"0\"", "\"1\"", "\"2\""])
    }

    /// RFC 7616, 3.4.2: the key of a -sess algorithm is computed once, from the first nonce and client nonce. Checked with hashlib.
    @Test func `a -sess algorithm keeps its client nonce and its key under the next nonce`() throws {
        let first = try session("qop=auth, algorithm=MD5-sess", clientNonces: numbered())
        _ = try first.answer(to: get)
        let next = first.continued(withNonce: "next", counter: NonceCounter())

        let answer = try next.answer(to: get).fieldValue

        #expect(parameter("cnonce", answer) == "\"0\"")
        #expect(parameter("nonce", answer) == "\"next\"")
        #expect(parameter("response", answer) == "\"f640e69968f340b0175b172224e5b576\"")
    }

    @Test func `each count is handed out once to any number of threads`() async {
        let counter = NonceCounter()

        let counts = await withTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<150_000).compactMap { _ in try? counter.next() } }
            }
            return await group.reduce(into: Set<UInt32>()) { $0.formUnion($1) }
        }

        let (lowest, highest) = (counts.min(), counts.max())
        #expect(counts.count == 600_000)
        #expect(lowest == 1)
        #expect(highest == 600_000)
    }

    @Test func `a nonce whose counts are used up is an error, not a repetition`() throws {
        let counter = NonceCounter(last: .max - 1)

        #expect(try counter.next() == .max)
        #expect(throws: HTTPAuthenticationError.nonceExhausted) { try counter.next() }
        #expect(throws: HTTPAuthenticationError.nonceExhausted) { try counter.next() }
    }

    @Test(arguments: [
        ("Jäsøn", "qop=auth", #"username="Jäsøn""#),
        ("Jäsøn", "qop=auth, charset=utf-8", "username*=UTF-8''J%C3%A4s%C3%B8n"),
        ("Jäsøn", "qop=auth, algorithm=SHA-256", "username*=UTF-8''J%C3%A4s%C3%B8n"),
        ("Jo\u{308}rg", "qop=auth, charset=UTF-8", "username*=UTF-8''J%C3%B6rg"),
        ("a*b'c%d e☃", "qop=auth, charset=UTF-8", "username*=UTF-8''a%2Ab%27c%25d%20e%E2%98%83"),
        ("plain:colon", "qop=auth, charset=UTF-8", #"username="plain:colon""#),
    ])
    func `a user-id outside ASCII goes into username* where the server is likely to know it`(
        userID: String, parameters: String, expected: String
    ) throws {
        let session = try session(parameters, userID: userID)

        #expect(try session.answer(to: get).fieldValue.hasPrefix("Digest \(expected), realm="))
    }

    @Test func `control characters never reach the field`() throws {
        let byHand = Challenge(
            scheme: .digest, parameters: [.init(name: "Realm", value: "a\r\nX: y"), .init(name: "nonce", value: "n")])

        #expect(throws: HTTPAuthenticationError.controlCharacterInUserID) { try session("qop=auth", userID: "a\nb") }
        #expect(throws: HTTPAuthenticationError.self) { try DigestChallenge(byHand) }
        #expect(throws: HTTPAuthenticationError.controlCharacterInTarget) {
            try session("qop=auth").answer(to: AuthenticatedRequest(method: "GET", target: "/\r\n"))
        }
    }

    @Test func `what hashing the content throws comes through`() throws {
        let session = try session("qop=auth-int")
        let unreadable = AuthenticatedRequest(method: "PUT", target: "/") { _ in
            throw HTTPError(.bodyUnreadable, attempting: "reading", "the file is gone")
        }

        #expect(throws: HTTPError.self) { try session.answer(to: unreadable) }
        #expect(throws: HTTPAuthenticationError.self) { try session.answer(to: get) }
    }

    private func session(
        _ parameters: String, userID: String = "u", clientNonces: ClientNonceGenerator = .constant("c")
    ) throws -> DigestSession {
        let challenge = try #require(try Challenge.parse(["Digest realm=r, nonce=n, \(parameters)"]).first)
        return try DigestSession(
            DigestChallenge(challenge), credential: UserCredential(userID: userID, password: "p"), clientNonces: clientNonces)
    }

    /// "0", "1", "2" and so on.
    private func numbered() -> ClientNonceGenerator {
        let next = Locked(0)
        return ClientNonceGenerator { () throws(HTTPAuthenticationError) in
            next.withLock { number in
                defer { number += 1 }
                return "\(number)"
            }
        }
    }

    private func parameter(_ name: String, _ field: String) -> String? {
        field.split(separator: ", ").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}

// SPDX-License-Identifier: MIT

import Foundation

/// A challenge together with the user whose credentials answer it, and the nonce in use: from one answer to many requests.
package struct DigestSession: Sendable {
    /// One answer, with what is needed to judge the server's `rspauth`.
    package struct Answer: Sendable {
        package let fieldValue: String
        let protection: DigestChallenge.Protection
        let clientNonce: String
        let nonceCount: String
        let target: String
    }

    package let challenge: DigestChallenge
    package let nonce: String
    private let counter: NonceCounter
    private let clientNonces: ClientNonceGenerator
    /// Fixed for a `-sess` algorithm, whose key depends on it (RFC 7616, 3.4.2).
    private let sessionClientNonce: String?
    /// H(A1), in hexadecimal.
    private let userHash: [UInt8]
    /// `username` or `username*`, complete.
    private let userParameter: String

    /// - Throws: ``HTTPAuthenticationError`` for a user-id with control characters, and if hashing or randomness fails.
    package init(
        _ challenge: DigestChallenge, credential: UserCredential, counter: NonceCounter = NonceCounter(),
        clientNonces: ClientNonceGenerator = .random
    ) throws(HTTPAuthenticationError) {
        try credential.checkUserID()
        let credential = challenge.announcesUTF8 ? credential.normalized : credential
        self.challenge = challenge
        nonce = challenge.nonce
        self.counter = counter
        self.clientNonces = clientNonces

        let function = challenge.function
        var a1 = "\(credential.userID):\(challenge.realm):\(credential.password)"
        var clientNonce: String?
        if challenge.isSession {
            let fixed = try clientNonces.next()
            clientNonce = fixed
            a1 = "\(try Self.digest(a1, function)):\(challenge.nonce):\(fixed)"
        }
        sessionClientNonce = clientNonce
        userHash = Hexadecimal.bytes(try function.hash(Array(a1.utf8)))
        userParameter = try Self.userParameter(credential.userID, challenge)
    }

    private init(_ session: DigestSession, nonce: String, counter: NonceCounter) {
        challenge = session.challenge
        self.nonce = nonce
        self.counter = counter
        clientNonces = session.clientNonces
        sessionClientNonce = session.sessionClientNonce
        userHash = session.userHash
        userParameter = session.userParameter
    }

    /// The session goes on under the server's `nextnonce`; a `-sess` key stays, as it is computed once (RFC 7616, 3.4.2).
    package func continued(withNonce nonce: String, counter: NonceCounter) -> DigestSession {
        DigestSession(self, nonce: nonce, counter: counter)
    }

    /// The field value for one request; each call uses up one nonce count.
    ///
    /// - Throws: ``HTTPAuthenticationError``, or what hashing the content throws.
    package func answer(to request: AuthenticatedRequest) throws -> Answer {
        guard let protection = challenge.protection(canHashContent: request.contentHash != nil) else {
            throw HTTPAuthenticationError.unsupportedChallenge("it asks for auth-int, and the content cannot be hashed ahead")
        }
        if request.target.utf8.contains(where: ASCII.isControl) { throw HTTPAuthenticationError.controlCharacterInTarget }

        var a2 = "\(request.method):\(request.target)"
        if protection == .integrity, let contentHash = request.contentHash {
            a2 += ":" + Hexadecimal.string(try contentHash(challenge.function))
        }
        var clientNonce = ""
        var nonceCount = ""
        if protection != .legacy {
            clientNonce = try sessionClientNonce ?? clientNonces.next()
            nonceCount = Hexadecimal.eightDigits(try counter.next())
        }
        let response = try response(a2, protection, clientNonce: clientNonce, nonceCount: nonceCount)

        var value = "Digest \(userParameter), realm=\(Self.quoted(challenge.realm)), uri=\(Self.quoted(request.target))"
        if let algorithm = challenge.algorithm { value += ", algorithm=\(algorithm)" }
        value += ", nonce=\(Self.quoted(nonce))"
        if let token = protection.token { value += ", nc=\(nonceCount), cnonce=\(Self.quoted(clientNonce)), qop=\(token)" }
        value += ", response=\"\(response)\""
        if let opaque = challenge.opaque { value += ", opaque=\(Self.quoted(opaque))" }
        if challenge.hashesUserID { value += ", userhash=true" }
        return Answer(
            fieldValue: value, protection: protection, clientNonce: clientNonce, nonceCount: nonceCount, target: request.target)
    }

    /// Whether `information` proves that the server knows the password (RFC 7616, 3.5); nil if it does not try to, or if that cannot be
    /// judged without the response's content.
    func isProof(_ information: AuthenticationInformation, of answer: Answer) throws(HTTPAuthenticationError) -> Bool? {
        guard let proof = information.responseAuthentication else { return nil }
        if answer.protection == .integrity || information.qualityOfProtection.map({ ASCII.lowercased($0) == "auth-int" }) ?? false {
            return nil
        }
        let expected = try response(
            ":\(answer.target)", answer.protection, clientNonce: answer.clientNonce, nonceCount: answer.nonceCount)
        return ASCII.lowercased(proof) == expected
    }

    /// RFC 7616, 3.4.1; without `qop`, RFC 2069, 2.1.2.
    private func response(
        _ a2: String, _ protection: DigestChallenge.Protection, clientNonce: String, nonceCount: String
    ) throws(HTTPAuthenticationError) -> String {
        var text = userHash
        text.append(contentsOf: ":\(nonce):".utf8)
        if let token = protection.token { text.append(contentsOf: "\(nonceCount):\(clientNonce):\(token):".utf8) }
        text.append(contentsOf: Hexadecimal.bytes(try challenge.function.hash(Array(a2.utf8))))
        return Hexadecimal.string(try challenge.function.hash(text))
    }

    /// A hashed user-id where the server wants one (RFC 7616, 3.4.4). One outside ASCII goes into `username*` (RFC 8187), but to servers of
    /// RFC 2617, which do not know that parameter, as plain UTF-8.
    private static func userParameter(_ userID: String, _ challenge: DigestChallenge) throws(HTTPAuthenticationError) -> String {
        if challenge.hashesUserID {
            return "username=\"\(try digest("\(userID):\(challenge.realm)", challenge.function))\""
        }
        if userID.utf8.allSatisfy({ $0 < 0x80 }) || challenge.function == .md5 && !challenge.announcesUTF8 {
            return "username=\(quoted(userID))"
        }
        return "username*=UTF-8''\(extended(userID))"
    }

    private static func digest(_ text: String, _ function: HashFunction) throws(HTTPAuthenticationError) -> String {
        Hexadecimal.string(try function.hash(Array(text.utf8)))
    }

    /// A quoted-string (RFC 9110, 5.6.4).
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = [ASCII.quote]
        for byte in text.utf8 {
            if byte == ASCII.quote || byte == ASCII.backslash { bytes.append(ASCII.backslash) }
            bytes.append(byte)
        }
        bytes.append(ASCII.quote)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value-chars of RFC 8187, 3.2.1.
    private static func extended(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if ASCII.isAttribute(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(contentsOf: Hexadecimal.bytes([byte]).map { $0 >= UInt8(ascii: "a") ? $0 - 32 : $0 })
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension DigestSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "DigestSession(redacted)" }
    package var debugDescription: String { description }
    /// Without children: H(A1) is as good as the password.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

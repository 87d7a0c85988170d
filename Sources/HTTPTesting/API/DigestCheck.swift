// SPDX-License-Identifier: MIT

import Foundation
internal import HTTPAuthentication

/// Looks at Digest credentials as a server does (RFC 7616, 3.4), written down apart from the client's code that it helps to test.
struct DigestCheck {
    let fields: FieldList
    private let offered: String
    private let algorithm: String
    private let function: HashFunction

    init(_ fields: FieldList, offered: String, algorithm: String, function: HashFunction) {
        self.fields = fields
        self.offered = offered
        self.algorithm = algorithm
        self.function = function
    }

    /// nc; nil without a quality of protection, and where it is not eight hexadecimal digits.
    var nonceCount: UInt32? {
        guard let text = fields["nc"], text.utf8.count == 8 else { return nil }
        return UInt32(text, radix: 16)
    }

    /// The user-id: plain, or in the extended notation that names beyond ASCII need (RFC 7616, 3.4.4; RFC 8187).
    private var userName: String? {
        if let name = fields["username"] { return name }
        guard let extended = fields["username*"], extended.lowercased().hasPrefix("utf-8''") else { return nil }
        return FormFields.decode(extended.dropFirst(7), plusIsSpace: false)
    }

    func isRight(user: String, password: String, request: RecordedRequest) -> Bool {
        guard userName == user, fields["realm"] == "loopback", fields["opaque"] == "opaque", fields["uri"] == request.target,
            fields["algorithm"] ?? "MD5" == algorithm, let nonce = fields["nonce"], let response = fields["response"],
            let first = hash("\(user):loopback:\(password)")
        else { return false }
        guard offered != "none" else {
            guard let second = hash("\(request.method):\(request.target)") else { return false }
            return response == hash("\(first):\(nonce):\(second)")
        }
        guard let qop = fields["qop"], offered.split(separator: ",").contains(where: { $0 == qop }), nonceCount != nil,
            let count = fields["nc"], let clientNonce = fields["cnonce"]
        else { return false }
        var message = "\(request.method):\(request.target)"
        if qop == "auth-int" {
            guard request.body.count == request.bodyByteCount, let content = hash(Array(request.body)) else { return false }
            message += ":\(content)"
        }
        guard let second = hash(message) else { return false }
        return response == hash("\(first):\(nonce):\(count):\(clientNonce):\(qop):\(second)")
    }

    private func hash(_ text: String) -> String? { hash(Array(text.utf8)) }

    private func hash(_ bytes: [UInt8]) -> String? {
        guard let hash = try? function.hash(bytes) else { return nil }
        return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

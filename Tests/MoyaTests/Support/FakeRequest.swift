// SPDX-License-Identifier: MIT

import HTTPMessages
import Moya

/// A request as a plugin's test writes its own: nothing behind it is the provider's.
final class FakeRequest: RequestType, Sendable {
    let request: URLRequest?
    let sessionHeaders: [String: String]
    private let credentials = Locked<[URLCredential]>([])

    init(_ request: URLRequest?, sessionHeaders: [String: String] = [:]) {
        self.request = request
        self.sessionHeaders = sessionHeaders
    }

    var usedCredentials: [URLCredential] { credentials.withLock { $0 } }

    func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    func authenticate(with credential: URLCredential) -> Self {
        credentials.withLock { $0.append(credential) }
        return self
    }

    func cURLDescription(calling handler: @escaping (String) -> Void) -> Self {
        handler("$ curl of the fake")
        return self
    }
}

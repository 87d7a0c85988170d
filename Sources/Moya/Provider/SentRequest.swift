// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What plugins see of a request that is sent: the prepared request and a grip on the live one.
final class SentRequest: RequestType, Sendable {
    private let prepared: URLRequest
    private let live: LiveRequest
    private let session: Weak<Session>

    init(_ prepared: URLRequest, live: LiveRequest, session: Session) {
        self.prepared = prepared
        self.live = live
        self.session = Weak(session)
    }

    var request: URLRequest? { prepared }

    var sessionHeaders: [String: String] { session.object?.sessionConfiguration.headers.dictionary ?? [:] }

    func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self {
        live.perform { $0.authenticate(username: username, password: password, persistence: persistence) }
        return self
    }

    func authenticate(with credential: URLCredential) -> Self {
        live.perform { $0.authenticate(with: credential) }
        return self
    }

    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
        live.perform { $0.cURLDescription(calling: handler) }
        return self
    }
}

extension SentRequest: UnredactedRequestDescribing {
    func unredactedCURLDescription(calling handler: @escaping @Sendable (String) -> Void) {
        live.perform { request in
            request.cURLDescription { [weak request] redacted in handler(request?.cURLDescription(redacting: false) ?? redacted) }
        }
    }
}

/// A reference that keeps nothing alive: a plugin may keep what it was shown.
private struct Weak<Object: AnyObject & Sendable>: @unchecked Sendable {  // set once; reading a weak reference is atomic
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What plugins see of a request that a stub answers.
final class StubbedRequest: RequestType {
    private let prepared: URLRequest
    private let session: Session

    init(_ prepared: URLRequest, session: Session) {
        self.prepared = prepared
        self.session = session
    }

    var request: URLRequest? { prepared }

    var sessionHeaders: [String: String] { session.sessionConfiguration.headers.dictionary }

    /// Nobody challenges a stub.
    func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self { self }

    /// Nobody challenges a stub.
    func authenticate(with credential: URLCredential) -> Self { self }

    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
        let command = session.cURLDescription(of: prepared, redacting: true)
        DispatchQueue.global().async { handler(command) }
        return self
    }
}

extension StubbedRequest: UnredactedRequestDescribing {
    func unredactedCURLDescription(calling handler: @escaping @Sendable (String) -> Void) {
        let command = session.cURLDescription(of: prepared, redacting: false)
        DispatchQueue.global().async { handler(command) }
    }
}

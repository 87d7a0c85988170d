// SPDX-License-Identifier: MIT

/// One field with credentials, made for one request; its value is never printed.
package struct IssuedCredentials: Sendable {
    package let fieldName: String
    package let fieldValue: String
    package let protectionSpace: ProtectionSpace
    package let scheme: AuthenticationScheme
    /// Whether the field goes out before any challenge.
    package let isSentAhead: Bool

    let credential: UserCredential
    let means: AcceptedCredentials.Means
    let scope: AcceptedCredentials.Scope
    let digestAnswer: DigestSession.Answer?

    /// Nil for the transport's schemes, which have no field of ours.
    init?(
        _ means: AcceptedCredentials.Means, credential: UserCredential, in space: ProtectionSpace, scope: AcceptedCredentials.Scope,
        for request: AuthenticatedRequest, isSentAhead: Bool
    ) throws {
        switch means {
        case .basic(let value):
            (fieldValue, scheme, digestAnswer) = (value, .basic, nil)
        case .digest(let session):
            let answer = try session.answer(to: request)
            (fieldValue, scheme, digestAnswer) = (answer.fieldValue, .digest, answer)
        case .transport:
            return nil
        }
        fieldName = space.challenger.credentialsFieldName
        protectionSpace = space
        self.isSentAhead = isSentAhead
        self.credential = credential
        self.means = means
        self.scope = scope
    }
}

extension IssuedCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The field's name and the scheme.
    package var description: String { "\(fieldName): \(scheme) (redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["field": description], displayStyle: .struct) }
}

// SPDX-License-Identifier: MIT

import Foundation

/// A request that cannot be sent because of how its target or provider is written; nothing was sent.
///
/// It stands inside ``MoyaError/underlying(_:_:)`` or ``MoyaError/parameterEncoding(_:)``.
public struct MoyaMisuse: Error, Hashable, Sendable {
    private enum Reason: Hashable {
        case emptyMultipartForm
        case methodWithoutMultipart(String)
        case compositeEncodingWritesQuery
        case neverStubbed
        case requestClosureNeverAnswered
    }

    private let reason: Reason

    /// The multipart form has no parts.
    public static let emptyMultipartForm = MoyaMisuse(reason: .emptyMultipartForm)

    /// A multipart form was to be sent with a method that does not support it (`supportsMultipart`).
    public static func methodWithoutMultipart(_ method: Moya.Method) -> MoyaMisuse {
        MoyaMisuse(reason: .methodWithoutMultipart(method.rawValue))
    }

    /// The body encoding of ``Task/requestCompositeParameters(bodyParameters:bodyEncoding:urlParameters:)`` may write to the query.
    public static let compositeEncodingWritesQuery = MoyaMisuse(reason: .compositeEncodingWritesQuery)

    /// A stub was asked for with ``StubBehavior/never``.
    public static let neverStubbed = MoyaMisuse(reason: .neverStubbed)

    /// The provider's request closure let go of the closure that takes its answer without calling it.
    public static let requestClosureNeverAnswered = MoyaMisuse(reason: .requestClosureNeverAnswered)
}

extension MoyaMisuse: LocalizedError {
    /// What is wrong, and what to do instead.
    public var errorDescription: String? {
        switch reason {
        case .emptyMultipartForm:
            "A multipart form needs at least one part; give the target's form a part, or use another task."
        case .methodWithoutMultipart(let method):
            "A multipart form cannot be sent with the method \(method); use POST, PUT or PATCH."
        case .compositeEncodingWritesQuery:
            "Parameters for the body cannot be encoded by an encoding that may write them to the query; use URLEncoding.httpBody, or pass "
                + "them as urlParameters."
        case .neverStubbed:
            "A stub was asked for with the behaviour “never”; use immediate or delayed, or send the request."
        case .requestClosureNeverAnswered:
            "The provider's request closure never answered; it must call what it is given with a request or an error on every path."
        }
    }
}

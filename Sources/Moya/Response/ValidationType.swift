// SPDX-License-Identifier: MIT

/// Which status codes of a target are successes; with any other code its request fails, with the response in the error.
public enum ValidationType: Equatable, Sendable {
    /// Every code; nothing is validated.
    case none

    /// 200 to 299.
    case successCodes

    /// 200 to 399.
    case successAndRedirectCodes

    /// These codes; an empty list validates nothing.
    case customCodes([Int])

    /// The accepted codes. Empty means that nothing is validated.
    public var statusCodes: [Int] {
        switch self {
        case .none: []
        case .successCodes: Self.successes
        case .successAndRedirectCodes: Self.successesAndRedirects
        case .customCodes(let codes): codes
        }
    }

    private static let successes = Array(200..<300)
    private static let successesAndRedirects = Array(200..<400)

    /// Whether a response with this code is a success.
    func accepts(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: 200..<300 ~= statusCode
        case .successAndRedirectCodes: 200..<400 ~= statusCode
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The validators of a request, in the order in which they were added.
///
/// Those that look at the status or the media type only are kept as such, so that no response object is made for them.
struct ResponseValidators<Content: Sendable>: Sendable {
    enum Validator: Sendable {
        case statusCodes(@Sendable (Int) -> Bool)
        /// The acceptable media types, given the request.
        case contentTypes(@Sendable (URLRequest?) -> [String])
        case custom(@Sendable (URLRequest?, HTTPURLResponse, Content) -> Request.ValidationResult)
    }

    private var validators: [Validator] = []

    var isEmpty: Bool { validators.isEmpty }

    mutating func add(_ validator: Validator) { validators.append(validator) }

    /// Status 200 to 299, and a media type that the request's `Accept` names, or any if it has none.
    mutating func addDefaults() {
        add(.statusCodes { (200..<300).contains($0) })
        add(.contentTypes(Self.acceptedTypes))
    }

    func firstFailure(_ urlRequest: URLRequest?, _ response: ReceivedResponse, _ content: Content, isEmpty: Bool) -> AFError? {
        for validator in validators {
            switch validator {
            case .statusCodes(let accepts):
                if !accepts(response.status) {
                    return .responseValidationFailed(reason: .unacceptableStatusCode(code: response.status))
                }
            case .contentTypes(let acceptable):
                if !isEmpty, let reason = Self.contentTypeFailure(response, acceptable(urlRequest)) {
                    return .responseValidationFailed(reason: reason)
                }
            case .custom(let validate):
                if case .failure(let error) = validate(urlRequest, response.urlResponse, content) {
                    return error.asAFError(or: .responseValidationFailed(reason: .customValidationFailed(error: error)))
                }
            }
        }
        return nil
    }

    /// The media types that the request accepts; anything if it does not say.
    @Sendable
    private static func acceptedTypes(_ urlRequest: URLRequest?) -> [String] {
        guard let accept = urlRequest?.value(forHTTPHeaderField: "Accept") else { return ["*/*"] }
        return accept.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func contentTypeFailure(_ response: ReceivedResponse, _ acceptable: [String]) -> AFError.ResponseValidationFailureReason?
    {
        let ranges = acceptable.compactMap(MediaRange.init)
        guard let contentType = response.head.value(for: "Content-Type"), let type = MediaRange(contentType) else {
            return ranges.contains(where: \.isAny) ? nil : .missingContentType(acceptableContentTypes: acceptable.sorted())
        }
        if ranges.contains(where: { $0.matches(type) }) { return nil }
        return .unacceptableContentType(acceptableContentTypes: acceptable.sorted(), responseContentType: contentType)
    }
}

/// A media type, or a range of them, without its parameters (RFC 9110, 8.3.1 and 12.5.1).
struct MediaRange {
    let type: Substring
    let subtype: Substring

    init?(_ text: some StringProtocol) {
        let bare = Substring(text).prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        let halves = Substring(bare).split(separator: "/", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        type = halves[0]
        subtype = halves[1]
    }

    var isAny: Bool { type == "*" && subtype == "*" }

    func matches(_ other: MediaRange) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }
}

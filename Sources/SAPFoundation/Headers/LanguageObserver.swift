// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Says in `Accept-Language` which language is wanted (RFC 9110, 12.5.4). A field that the caller set is left as it is.
open class LanguageObserver: SAPURLSessionObserving, @unchecked Sendable {  // what changes is behind its lock
    private let current: Locked<String?>

    /// A language tag such as `de-CH`, or a locale identifier, which is made one; `nil` is the locale's of this moment.
    public var language: String? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// `language`: by default the locale's, as it is when a request is sent.
    public init(language: String? = nil) { current = Locked(language) }

    /// Adds the field.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        var request = request
        if request.value(forHTTPHeaderField: "Accept-Language") == nil, let tag = Self.tag(language ?? Locale.current.identifier) {
            request.setValue(tag, forHTTPHeaderField: "Accept-Language")
        }
        completionHandler(.use(request))
    }

    /// Another one for the same language.
    public func copy() -> Any? { LanguageObserver(language: language) }

    /// `en_US@calendar=gregorian` becomes `en-US` (RFC 5646); `nil` for what is no language, such as POSIX's `C`.
    static func tag(_ identifier: String) -> String? {
        let name = identifier.prefix { $0 != "@" && $0 != "." }
        let parts = name.split(whereSeparator: { $0 == "_" || $0 == "-" })
        guard let language = parts.first, (2...8).contains(language.utf8.count),
            parts.allSatisfy({ part in part.utf8.count <= 8 && part.utf8.allSatisfy { isAlphanumeric($0) } }),
            language.utf8.allSatisfy({ ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") })
        else { return nil }
        return parts.joined(separator: "-")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }
}

// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions

// Without these, `print` and `dump` would walk into the fields and URLs of requests, where credentials are.

extension MoyaError: CustomDebugStringConvertible, CustomReflectable {
    /// The case with what it holds; a URL without user information and query, a response as its status and length.
    public var debugDescription: String {
        let parts = printedParts.map(\.value).joined(separator: ", ")
        return "\(code)(\(parts))"
    }

    /// Shows what ``debugDescription`` does.
    public var customMirror: Mirror {
        Mirror(self, children: printedParts.map { (label: $0.label, value: $0.value as Any) }, displayStyle: .enum)
    }

    private var printedParts: [(label: String?, value: String)] {
        if case .requestMapping(let url) = self { return [("url", RedactedURL.redact(url).debugDescription)] }
        var parts: [(label: String?, value: String)] = []
        if let underlyingError { parts.append(("underlyingError", String(reflecting: underlyingError))) }
        if let response { parts.append(("response", response.debugDescription)) }
        return parts
    }
}

extension Response: CustomReflectable {
    /// Shows the status code and how long the data is.
    public var customMirror: Mirror {
        Mirror(self, children: ["statusCode": statusCode, "data": "\(data.count) bytes"], displayStyle: .class)
    }
}

extension Endpoint: CustomReflectable {
    /// Shows the method and the URL without user information and query.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["method": method.rawValue, "url": RedactedURL.redact(url)], displayStyle: .class,
            ancestorRepresentation: .suppressed)
    }
}

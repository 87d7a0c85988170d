// SPDX-License-Identifier: MIT

import Foundation

/// A path into a JSON document: keys joined by dots, each a step into an object.
///
/// Key-value coding does more, but does not exist on Linux. An array on the way ends the walk.
struct JSONKeyPath {
    private let keys: [Substring]

    init(_ text: String) {
        keys = text.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// The value at the path, or nil if there is none.
    func value(in document: Any) -> Any? {
        var value = document
        for key in keys {
            guard let object = value as? [String: Any], let next = object[String(key)] else { return nil }
            value = next
        }
        return value
    }
}

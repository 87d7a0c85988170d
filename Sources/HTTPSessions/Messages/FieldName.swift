// SPDX-License-Identifier: MIT

import HTTPMessages

extension String {
    /// Orders field names without regard to the case of ASCII letters.
    func precedesAsFieldName(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8) { HTTPFields.lowercased($0) < HTTPFields.lowercased($1) }
    }
}

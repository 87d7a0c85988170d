// SPDX-License-Identifier: MIT

/// Text from elsewhere, fit to be shown to a person.
package enum HarmlessText {
    /// Drops what a terminal, or an eye, could be fooled with, and cuts at `limit` characters.
    package static func make(_ text: String, limit: Int) -> String { cut(stripped(text), limit: limit) }

    static func stripped(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isShown(scalar) { kept.append(scalar) }
        return String(kept)
    }

    /// A character may be of many scalars: what is kept is bounded in both.
    static func cut(_ text: String, limit: Int) -> String {
        String(String(text.unicodeScalars.prefix(8 * limit)).prefix(limit))
    }

    /// Whether nothing of `text` had to be dropped.
    static func isHarmless(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isShown) }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation

extension URLEncodedFormEncoder {
    /// What becomes of each key, at each level.
    public enum KeyEncoding: Sendable {
        /// It stays as it is.
        case useDefaultKeys
        /// `oneTwoThree` becomes `one_two_three`, `myURLProperty` `my_url_property`.
        case convertToSnakeCase
        /// `oneTwoThree` becomes `one-two-three`.
        case convertToKebabCase
        /// `oneTwoThree` becomes `OneTwoThree`.
        case capitalized
        /// `oneTwoThree` becomes `ONETWOTHREE`.
        case uppercased
        /// `oneTwoThree` becomes `onetwothree`.
        case lowercased
        /// What the closure returns.
        case custom(@Sendable (_ key: String) -> String)

        func encode(_ key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: Self.words(of: key).joined(separator: "_")
            case .convertToKebabCase: Self.words(of: key).joined(separator: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let encoding): encoding(key)
            }
        }

        /// The words of a camel-case name, in small letters. A run of capitals is one word, but for its last letter where a small one
        /// follows.
        private static func words(of key: String) -> [String] {
            let characters = Array(key)
            var words: [String] = []
            var word = ""
            for (index, character) in characters.enumerated() {
                let isStart =
                    character.isUppercase && index > 0
                    && (!characters[index - 1].isUppercase || (index + 1 < characters.count && characters[index + 1].isLowercase))
                if isStart, !word.isEmpty {
                    words.append(word)
                    word = ""
                }
                word += character.lowercased()
            }
            return words + [word]
        }
    }
}

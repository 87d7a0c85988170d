// SPDX-License-Identifier: MIT

import Foundation

/// Encodings by the names in the IANA registry of character sets, which Foundation does not offer on Linux.
enum CharacterEncodings {
    /// The encoding for a `charset`, in any case; nil for one that is not known.
    static func encoding(named name: String) -> String.Encoding? {
        table[name.trimmingCharacters(in: CharacterSet(charactersIn: "\"' ")).lowercased()]
    }

    private static let table: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8,
        "us-ascii": .ascii, "ascii": .ascii,
        "iso-8859-1": .isoLatin1, "iso8859-1": .isoLatin1, "latin1": .isoLatin1, "l1": .isoLatin1,
        "iso-8859-2": .isoLatin2, "latin2": .isoLatin2,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "cp1250": .windowsCP1250, "cp1251": .windowsCP1251, "cp1252": .windowsCP1252, "cp1253": .windowsCP1253, "cp1254": .windowsCP1254,
        "utf-16": .utf16, "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "utf-32": .utf32, "utf-32be": .utf32BigEndian, "utf-32le": .utf32LittleEndian,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
        "macintosh": .macOSRoman,
    ]
}

// SPDX-License-Identifier: MIT

extension String {
    /// Whether both are the same field name: ASCII letters compare without case (RFC 9110 section 5.1).
    func isSameFieldName(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// Orders field names without case.
    func precedesAsFieldName(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8) { $0.lowercasedASCII < $1.lowercasedASCII }
    }
}

extension UInt8 {
    /// The byte with an ASCII capital letter made small.
    var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}

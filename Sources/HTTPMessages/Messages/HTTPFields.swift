// SPDX-License-Identifier: MIT

/// A header or trailer section: fields in the order in which they were added or received (RFC 9110, 5 and 6.5).
///
/// Names compare without regard to case; a name may occur more than once.
public struct HTTPFields: Sendable, Hashable, ExpressibleByDictionaryLiteral, RandomAccessCollection {
    /// A field name with one value.
    public struct Field: Sendable, Hashable {
        /// As it was written; compare with ``HTTPFields/equal(_:_:)``.
        public var name: String
        /// Without the white space around it.
        public var value: String

        /// A field of this name and value; neither is checked here, but before a request is sent.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    // Inlinable, so that the package's other modules go through the fields without a copy of each.
    @usableFromInline
    var fields: [Field] = []

    /// An empty section.
    public init() {}

    /// A section of `fields`, in their order.
    public init(_ fields: [Field]) { self.fields = fields }

    /// A section in the literal's order; a name may be repeated.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// 0.
    @inlinable
    public var startIndex: Int { 0 }
    /// The number of fields.
    @inlinable
    public var endIndex: Int { fields.count }
    /// The field at `position`, in the order of the section.
    @inlinable
    public subscript(position: Int) -> Field { fields[position] }
    /// Goes through the fields in the order of the section.
    @inlinable
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// Makes room for `count` fields.
    public mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

    /// Adds a field behind the others, whether or not its name is there already.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The first value of `name`; setting replaces every field of that name by one, in the place of the first, and `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.equal($0.name, name) }?.value }
        set {
            guard let newValue else { return fields.removeAll { Self.equal($0.name, name) } }
            guard let first = fields.firstIndex(where: { Self.equal($0.name, name) }) else {
                return fields.append(Field(name: name, value: newValue))
            }
            fields[first].value = newValue
            if fields[(first + 1)...].contains(where: { Self.equal($0.name, name) }) {
                let head = fields[...first]
                fields = head + fields[(first + 1)...].filter { !Self.equal($0.name, name) }
            }
        }
    }

    /// Every value of `name`, in order.
    public func values(for name: String) -> [String] {
        fields.compactMap { Self.equal($0.name, name) ? $0.value : nil }
    }

    /// Whether a field of this name is there.
    public func contains(name: String) -> Bool {
        fields.contains { Self.equal($0.name, name) }
    }

    /// Whether two field names are the same, that is, equal but for the case of ASCII letters.
    public static func equal(_ one: String, _ other: String) -> Bool {
        var one = one
        var other = other
        guard one.utf8.count == other.utf8.count else { return false }
        return one.withUTF8 { one in other.withUTF8 { other in equal(one, other) } }
    }

    static func equal(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        for index in one.indices where lowercased(one[index]) != lowercased(other[index]) { return false }
        return true
    }

    /// The byte, an ASCII letter in lower case. Public only so that the engines can inline it.
    @inlinable
    public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether `name` is a token (RFC 9110, 5.6.2), the only form that a field name and a method can take.
    public static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }

    /// Whether a byte may stand in a token (RFC 9110, 5.6.2). Public only so that the engines can inline it.
    @inlinable
    public static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether `value` can be sent: it holds no CR, LF or NUL, with which a caller's data could become another field (RFC 9110, 5.5).
    public static func isSafeValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    }
}

extension HTTPFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names whose values are never printed.
    static let secretNames = ["authorization", "proxy-authorization", "cookie", "set-cookie"]

    package static func isSecret(_ name: String) -> Bool {
        secretNames.contains { equal($0, name) }
    }

    /// One `Name: value` line a field; values are left out of `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie` and of fields
    /// whose names say that they hold tokens, keys or passwords.
    public var description: String { fields.map(\.description).joined(separator: "\n") }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

extension HTTPFields.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `Name: value`, the value left out where it is a secret.
    public var description: String { "\(name): \(SecretNames.holdSecret(field: name) ? SecretNames.placeholder : value)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}

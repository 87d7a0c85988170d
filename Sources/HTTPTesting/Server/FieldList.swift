// SPDX-License-Identifier: MIT

/// Fields in the order, the spelling and the number in which they are on the wire; nothing is merged, trimmed of meaning or checked.
///
/// Written as a dictionary literal, which may repeat a name: `["Set-Cookie": "a=1", "Set-Cookie": "b=2"]`.
public struct FieldList: Sendable, Hashable, ExpressibleByDictionaryLiteral, RandomAccessCollection {
    /// One field: a name with its value.
    public struct Field: Sendable, Hashable {
        /// The name as written.
        public var name: String
        /// The value without the white space around it.
        public var value: String

        /// A field that is written as `name: value`.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field]

    /// A list of the given fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The literal's fields in its order, repeated names included.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }

    /// 0.
    public var startIndex: Int { fields.startIndex }
    /// The number of fields.
    public var endIndex: Int { fields.endIndex }
    /// The field at that place, from 0.
    public subscript(position: Int) -> Field { fields[position] }

    /// The value of the first field of that name, in any spelling; setting it replaces all fields of the name (nil removes them).
    public subscript(name: String) -> String? {
        get { fields.first { FieldList.isSame($0.name, name) }?.value }
        set {
            let index = fields.firstIndex { FieldList.isSame($0.name, name) }
            fields.removeAll { FieldList.isSame($0.name, name) }
            if let newValue { fields.insert(Field(name, newValue), at: index ?? fields.endIndex) }
        }
    }

    /// The values of all fields of that name, in any spelling, in their order.
    public func values(_ name: String) -> [String] {
        fields.filter { FieldList.isSame($0.name, name) }.map(\.value)
    }

    /// Whether there is a field of that name, in any spelling.
    public func contains(_ name: String) -> Bool {
        fields.contains { FieldList.isSame($0.name, name) }
    }

    /// Adds a field at the end, beside others of the same name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Adds fields at the end.
    public mutating func append(contentsOf other: FieldList) {
        fields.append(contentsOf: other.fields)
    }

    /// Field names are compared without regard to ASCII case (RFC 9110, 5.1).
    static func isSame(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte | 0x20 : byte
    }
}

// SPDX-License-Identifier: MIT

/// Values by key.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.child(forKey: key).encodeNil() }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.child(forKey: key).encode(value) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type, forKey key: Key) -> KeyedEncodingContainer<NestedKey> {
        encoder.child(forKey: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.child(forKey: key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.child(forKey: FormIndex(stringValue: "super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.child(forKey: key) }

    // The defaults of these leave nil out before the options are asked.

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encodeOptional(value, forKey: key) }

    private func encodeOptional(_ value: (some Encodable)?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }
}

/// The elements of an array.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: FormValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    func encodeNil() { encoder.nextElement().encodeNil() }

    func encode<T: Encodable>(_ value: T) throws { try encoder.nextElement().encode(value) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.nextElement().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextElement().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.nextElement() }
}

/// One value.
struct FormSingleValueContainer: SingleValueEncodingContainer {
    let encoder: FormValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.encodeNil() }

    func encode(_ value: Bool) { encoder.node.content = .text(encoder.options.boolEncoding.encode(value)) }
    func encode(_ value: String) { encoder.node.content = .text(value) }
    func encode(_ value: Double) { encoder.node.content = .text(String(value)) }
    func encode(_ value: Float) { encoder.node.content = .text(String(value)) }
    func encode(_ value: Int) { encoder.node.content = .text(String(value)) }
    func encode(_ value: Int8) { encoder.node.content = .text(String(value)) }
    func encode(_ value: Int16) { encoder.node.content = .text(String(value)) }
    func encode(_ value: Int32) { encoder.node.content = .text(String(value)) }
    func encode(_ value: Int64) { encoder.node.content = .text(String(value)) }
    func encode(_ value: UInt) { encoder.node.content = .text(String(value)) }
    func encode(_ value: UInt8) { encoder.node.content = .text(String(value)) }
    func encode(_ value: UInt16) { encoder.node.content = .text(String(value)) }
    func encode(_ value: UInt32) { encoder.node.content = .text(String(value)) }
    func encode(_ value: UInt64) { encoder.node.content = .text(String(value)) }
    func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }
}

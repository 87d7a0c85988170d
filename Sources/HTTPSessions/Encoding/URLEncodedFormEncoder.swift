// SPDX-License-Identifier: MIT

import Foundation

/// Encodes a value as `application/x-www-form-urlencoded`. The value must be keyed: a structure, class or dictionary.
public final class URLEncodedFormEncoder: @unchecked Sendable {  // its properties never change; a date formatter may be shared
    /// Why a value cannot be encoded.
    public enum Error: Swift.Error {
        /// The value is a single one or an array, described here, and so gives no names for the pairs.
        case invalidRootObject(String)
    }

    /// Whether names are in order at each level, so that equal values give equal forms. Default: true.
    public let alphabetizeKeyValuePairs: Bool
    /// How the name of an array's element is made. Default: `key[]`.
    public let arrayEncoding: ArrayEncoding
    /// How a Boolean is written. Default: `1` and `0`.
    public let boolEncoding: BoolEncoding
    /// How data is written. Default: Base64.
    public let dataEncoding: DataEncoding
    /// How a date is written. Default: as it encodes itself, seconds since 2001.
    public let dateEncoding: DateEncoding
    /// What becomes of each key. Default: nothing.
    public let keyEncoding: KeyEncoding
    /// How the name of a nested value is made. Default: `parent[child]`.
    public let keyPathEncoding: KeyPathEncoding
    /// How nil is written. Default: not at all.
    public let nilEncoding: NilEncoding
    /// How a space is written. Default: `%20`.
    public let spaceEncoding: SpaceEncoding
    /// What is not escaped. Default: `CharacterSet.afURLQueryAllowed`.
    public let allowedCharacters: CharacterSet

    private let usesDefaultEscaping: Bool

    /// An encoder with these options.
    public init(
        alphabetizeKeyValuePairs: Bool = true, arrayEncoding: ArrayEncoding = .brackets, boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64, dateEncoding: DateEncoding = .deferredToDate, keyEncoding: KeyEncoding = .useDefaultKeys,
        keyPathEncoding: KeyPathEncoding = .brackets, nilEncoding: NilEncoding = .dropKey, spaceEncoding: SpaceEncoding = .percentEscaped,
        allowedCharacters: CharacterSet = .afURLQueryAllowed
    ) {
        self.alphabetizeKeyValuePairs = alphabetizeKeyValuePairs
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dataEncoding = dataEncoding
        self.dateEncoding = dateEncoding
        self.keyEncoding = keyEncoding
        self.keyPathEncoding = keyPathEncoding
        self.nilEncoding = nilEncoding
        self.spaceEncoding = spaceEncoding
        self.allowedCharacters = allowedCharacters
        usesDefaultEscaping = spaceEncoding == .percentEscaped && allowedCharacters == .afURLQueryAllowed
    }

    /// The value's pairs as text.
    /// - Throws: ``Error``, and what the value throws when it encodes itself.
    public func encode(_ value: some Encodable) throws -> String {
        String(decoding: try encodedBytes(value), as: UTF8.self)
    }

    /// The value's pairs in UTF-8.
    /// - Throws: ``Error``, and what the value throws when it encodes itself.
    public func encode(_ value: some Encodable) throws -> Data {
        Data(try encodedBytes(value))
    }

    func encodedBytes(_ value: some Encodable) throws -> [UInt8] {
        let root = FormNode()
        try FormValueEncoder(options: self, node: root, codingPath: []).encode(value)
        guard case .object(let children) = root.content else { throw Error.invalidRootObject("\(type(of: value))") }

        var form: [UInt8] = []
        for (key, node) in ordered(children) {
            append(node, named: key, to: &form)
        }
        return form
    }

    private func append(_ node: FormNode, named name: String, to form: inout [UInt8]) {
        switch node.content {
        case .nothing: return
        case .text(let text):
            if !form.isEmpty { form.append(UInt8(ascii: "&")) }
            append(name, to: &form)
            form.append(UInt8(ascii: "="))
            append(text, to: &form)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                append(element, named: arrayEncoding.encode(name, atIndex: index), to: &form)
            }
        case .object(let children):
            for (key, child) in ordered(children) {
                append(child, named: name + keyPathEncoding.encode(key), to: &form)
            }
        }
    }

    private func ordered(_ children: [(key: String, node: FormNode)]) -> [(key: String, node: FormNode)] {
        alphabetizeKeyValuePairs ? children.sorted { $0.key < $1.key } : children
    }

    private func append(_ text: String, to form: inout [UInt8]) {
        if usesDefaultEscaping {
            QueryEscaping.append(text, to: &form)
        } else {
            form += spaceEncoding.escape(text, allowed: allowedCharacters).utf8
        }
    }
}

extension URLEncodedFormEncoder.Error: LocalizedError {
    /// What is wrong with the value.
    public var errorDescription: String? {
        switch self {
        case .invalidRootObject(let type):
            "A form is made of names and values, and \(type) gives no names. Encode a structure or dictionary."
        }
    }
}

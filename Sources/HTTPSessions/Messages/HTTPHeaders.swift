// SPDX-License-Identifier: MIT

import HTTPMessages

/// An ordered list of fields in which each name occurs once; names compare without case (RFC 9110 section 5.1).
///
/// Equality takes the order into account. Descriptions redact credentials as ``HTTPHeader`` does.
public struct HTTPHeaders: Equatable, Hashable, Sendable {
    private var fields: [HTTPHeader] = []

    /// No fields.
    public init() {}

    /// The fields in this order; of several with one name the last one's spelling and value stand in the first one's place.
    public init(_ headers: [HTTPHeader]) {
        fields.reserveCapacity(headers.count)
        guard headers.count > 16 else {
            for header in headers { update(header) }
            return
        }
        // A linear search for each of many fields would be quadratic.
        var indices: [String: Int] = [:]
        for header in headers {
            let key = header.name.lowercased()
            if let index = indices[key] {
                fields[index] = header
            } else {
                indices[key] = fields.count
                fields.append(header)
            }
        }
    }

    /// The entries in the order of their names, so that equal dictionaries give equal values; of names that differ only in case one is
    /// kept.
    public init(_ dictionary: [String: String]) {
        let sorted = dictionary.map { HTTPHeader(name: $0.key, value: $0.value) }.sorted {
            HTTPFields.equal($0.name, $1.name) ? $0.name < $1.name : $0.name.precedesAsFieldName($1.name)
        }
        fields.reserveCapacity(sorted.count)
        for header in sorted {
            if let last = fields.last, HTTPFields.equal(last.name, header.name) {
                fields[fields.count - 1] = header
            } else {
                fields.append(header)
            }
        }
    }

    /// The same as ``update(name:value:)``: an existing value is replaced, not added to.
    public mutating func add(name: String, value: String) {
        update(HTTPHeader(name: name, value: value))
    }

    /// The same as ``update(_:)``.
    public mutating func add(_ header: HTTPHeader) {
        update(header)
    }

    /// Sets the value of the field `name`: in its place, with this spelling, if it is there; else at the end.
    public mutating func update(name: String, value: String) {
        update(HTTPHeader(name: name, value: value))
    }

    /// Sets a field: in its place, with this spelling, if it is there; else at the end.
    public mutating func update(_ header: HTTPHeader) {
        if let index = index(of: header.name) {
            fields[index] = header
        } else {
            fields.append(header)
        }
    }

    /// Removes the field `name`, if there.
    public mutating func remove(name: String) {
        if let index = index(of: name) {
            fields.remove(at: index)
        }
    }

    /// Orders the fields by name, without case.
    public mutating func sort() {
        fields.sort { $0.name.precedesAsFieldName($1.name) }
    }

    /// The fields ordered by name, without case.
    public func sorted() -> HTTPHeaders {
        var copy = self
        copy.sort()
        return copy
    }

    /// The value of the field `name`, in any case.
    public func value(for name: String) -> String? {
        index(of: name).map { fields[$0].value }
    }

    /// The value of the field `name`, in any case; setting nil removes the field.
    public subscript(_ name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue {
                update(name: name, value: newValue)
            } else {
                remove(name: name)
            }
        }
    }

    /// The fields without their order.
    public var dictionary: [String: String] {
        // Names that differ in bytes may still be equal strings (canonical equivalence), so uniqueness is not taken for granted.
        Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    private func index(of name: String) -> Int? {
        fields.firstIndex { HTTPFields.equal($0.name, name) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// The fields in the order written; of several with one name the last wins.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HTTPHeader(name: $0.0, value: $0.1) })
    }

    /// The fields in the order written; of several with one name the last wins.
    public init(arrayLiteral elements: HTTPHeader...) {
        self.init(elements)
    }
}

extension HTTPHeaders: Sequence, Collection {
    /// Passes over the fields in their order.
    public func makeIterator() -> IndexingIterator<[HTTPHeader]> { fields.makeIterator() }

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position; the position must be valid.
    public subscript(position: Int) -> HTTPHeader { fields[position] }

    /// The position after `index`.
    public func index(after index: Int) -> Int { fields.index(after: index) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible {
    /// One `Name: value` line a field, credentials redacted.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

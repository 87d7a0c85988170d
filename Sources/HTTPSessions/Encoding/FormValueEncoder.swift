// SPDX-License-Identifier: MIT

import Foundation

/// A place in the tree that a value encodes itself into. A reference, since containers fill it after they were handed out.
final class FormNode {
    /// What was encoded here.
    enum Content {
        case nothing
        case text(String)
        case array([FormNode])
        case object([(key: String, node: FormNode)])
    }

    var content = Content.nothing

    /// The node for a key; a key that is encoded twice has the last value.
    func child(forKey key: String) -> FormNode {
        let node = FormNode()
        guard case .object(var children) = content else {
            content = .object([(key, node)])
            return node
        }
        // Two threads never share a tree; emptied first so that the array is not copied.
        content = .nothing
        if let index = children.firstIndex(where: { $0.key == key }) {
            children[index].node = node
        } else {
            children.append((key, node))
        }
        content = .object(children)
        return node
    }

    func appendChild() -> FormNode {
        let node = FormNode()
        guard case .array(var elements) = content else {
            content = .array([node])
            return node
        }
        content = .nothing
        elements.append(node)
        content = .array(elements)
        return node
    }

    var count: Int {
        guard case .array(let elements) = content else { return 0 }
        return elements.count
    }

    /// Makes this an object even if nothing is encoded into it.
    func becomeObject() {
        if case .object = content { return }
        content = .object([])
    }
}

/// The `Encoder` behind ``URLEncodedFormEncoder``.
struct FormValueEncoder: Encoder {
    let options: URLEncodedFormEncoder
    let node: FormNode
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(FormKeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { FormUnkeyedContainer(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { FormSingleValueContainer(encoder: self) }

    func child(_ node: FormNode, _ key: any CodingKey) -> FormValueEncoder {
        FormValueEncoder(options: options, node: node, codingPath: codingPath + [key])
    }

    /// The encoder for the value of a key.
    func child(forKey key: any CodingKey) -> FormValueEncoder {
        child(node.child(forKey: options.keyEncoding.encode(key.stringValue)), key)
    }

    /// The encoder for the next element of an array.
    func nextElement() -> FormValueEncoder {
        let key = FormIndex(intValue: node.count)
        return child(node.appendChild(), key)
    }

    func encodeNil() {
        node.content = options.nilEncoding.encodeNil().map { .text($0) } ?? .nothing
    }

    func encode(_ value: some Encodable) throws {
        switch value {
        case let text as String: node.content = .text(text)
        case let bool as Bool: node.content = .text(options.boolEncoding.encode(bool))
        case let date as Date: try encode(text: options.dateEncoding.encode(date), else: date)
        case let data as Data: try encode(text: options.dataEncoding.encode(data), else: data)
        case let url as URL: node.content = .text(url.absoluteString)
        // It would encode its digits as an object.
        case let decimal as Decimal: node.content = .text(decimal.description)
        default: try value.encode(to: self)
        }
    }

    private func encode(text: String?, else value: some Encodable) throws {
        if let text { node.content = .text(text) } else { try value.encode(to: self) }
    }
}

/// The position in an array as a coding key.
struct FormIndex: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(intValue: Int) {
        self.intValue = intValue
        stringValue = "\(intValue)"
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }
}

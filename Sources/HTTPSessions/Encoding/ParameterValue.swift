// SPDX-License-Identifier: MIT

import Foundation

/// What a value of unknown type is to a form: the cases have different encodings.
enum ParameterValue {
    case text(String)
    case bool(Bool)
    case array([Any])
    case dictionary([String: Any])

    init(_ value: Any) {
        // Exact types first: they are the common ones, and comparing them is much cheaper than a cast.
        switch value {
        case let text as String: self = .text(text)
        case let integer as Int where type(of: value) == Int.self: self = .text(String(integer))
        case let bool as Bool where type(of: value) == Bool.self: self = .bool(bool)
        case let double as Double where type(of: value) == Double.self: self = .text(Self.text(of: double))
        case let float as Float where type(of: value) == Float.self: self = .text(Self.text(of: float))
        case let optional as any OptionalValue:
            if let wrapped = optional.wrappedValue { self = ParameterValue(wrapped) } else { self = .text("nil") }
        case let dictionary as [String: Any]: self = .dictionary(dictionary)
        case let array as [Any]: self = .array(array)
        case is NSNull: self = .text("<null>")
        case let number as NSNumber where type(of: value) is NSNumber.Type: self = Self(number)
        default: self = .text("\(value)")
        }
    }

    private init(_ number: NSNumber) {
        if number.isBoolean {
            self = .bool(number.boolValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"): self = .text(Self.text(of: number.doubleValue))
        case UInt8(ascii: "f"): self = .text(Self.text(of: number.floatValue))
        default: self = .text("\(number)")
        }
    }

    /// A whole number without its fraction, `1` for `1.0`, as `NSNumber` describes it on Apple platforms.
    static func text(of value: some BinaryFloatingPoint & LosslessStringConvertible) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// `Optional`, whatever it wraps.
private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedValue: Any? { self }
}

extension NSNumber {
    /// Whether the number was made from a Boolean. A cast to `Bool` succeeds for 0 and 1, too.
    fileprivate var isBoolean: Bool {
        #if canImport(ObjectiveC)
        // The type code is shared with Int8.
        CFGetTypeID(self) == CFBooleanGetTypeID()
        #else
        // Only Booleans have this code; an Int8 has "s" or wider.
        UInt8(bitPattern: objCType.pointee) == UInt8(ascii: "c")
        #endif
    }
}

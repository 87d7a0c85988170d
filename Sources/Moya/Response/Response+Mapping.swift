// SPDX-License-Identifier: MIT

import Foundation

extension Response {
    /// The data as an image.
    /// - Throws: ``MoyaError/imageMapping(_:)`` if it is not one.
    public func mapImage() throws -> Image {
        guard let image = Image(data: data) else { throw MoyaError.imageMapping(self) }
        return image
    }

    /// The data as JSON; a lone string, number, boolean or null is accepted (RFC 8259, 2).
    /// - Parameter failsOnEmptyData: false gives `NSNull` for no data at all.
    /// - Throws: ``MoyaError/jsonMapping(_:)``.
    public func mapJSON(failsOnEmptyData: Bool = true) throws -> Any {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw MoyaError.jsonMapping(self)
        }
    }

    /// The data as text, or a string in a JSON document.
    /// - Parameter keyPath: keys joined by dots; nil takes all data, which must be UTF-8.
    /// - Throws: ``MoyaError/stringMapping(_:)``, and ``MoyaError/jsonMapping(_:)`` if there is a key path but no JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws -> String {
        guard let keyPath else {
            guard let text = String(data: data, encoding: .utf8) else { throw MoyaError.stringMapping(self) }
            return text
        }
        guard let text = JSONKeyPath(keyPath).value(in: try mapJSON()) as? String else { throw MoyaError.stringMapping(self) }
        return text
    }
}

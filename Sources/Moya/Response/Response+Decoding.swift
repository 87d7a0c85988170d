// SPDX-License-Identifier: MIT

import Foundation

extension Response {
    /// The data, or a part of it, decoded from JSON.
    ///
    /// There is no coercion: `1` is not a `Bool`, `"123"` is not an `Int`. `keyPath` is keys joined by dots, each into an object; nil
    /// decodes the whole document. With `failsOnEmptyData` false, no data at all is decoded as `{}` or, if the type does not take that,
    /// `[{}]`; and a missing key path then decodes the whole document.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` around the decoder's error, and ``MoyaError/jsonMapping(_:)`` if the data is not JSON or
    ///   has nothing at the key path.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) throws -> D {
        guard let keyPath else { return try decodeWhole(type, decoder, failsOnEmptyData: failsOnEmptyData) }
        let document = try mapJSON(failsOnEmptyData: failsOnEmptyData)
        guard let value = JSONKeyPath(keyPath).value(in: document) else {
            if failsOnEmptyData { throw MoyaError.jsonMapping(self) }
            return try decodeWhole(type, decoder, failsOnEmptyData: failsOnEmptyData)
        }
        do {
            return try decoder.decode(type, from: try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed))
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }

    private func decodeWhole<D: Decodable>(_ type: D.Type, _ decoder: JSONDecoder, failsOnEmptyData: Bool) throws -> D {
        if data.isEmpty, !failsOnEmptyData {
            for stand in ["{}", "[{}]"] {
                if let value = try? decoder.decode(type, from: Data(stand.utf8)) { return value }
            }
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw MoyaError.objectMapping(error, self)
        }
    }
}

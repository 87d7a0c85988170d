// SPDX-License-Identifier: MIT

import Foundation

/// Decodes values from a response's content. Used from any thread, and from several at once.
public protocol DataDecoder: Sendable {
    /// A value of the type.
    func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}

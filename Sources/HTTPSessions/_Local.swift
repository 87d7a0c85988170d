// SPDX-License-Identifier: MIT

// Stands in for the encodable parameter encoders and the cURL text while those are being written; delete this file with them.
import Foundation
import FoundationNetworking
import HTTPMessages
public protocol ParameterEncoder: Sendable { func encode<P: Encodable & Sendable>(_ p: P?, into r: URLRequest) throws -> URLRequest }
public struct URLEncodedFormParameterEncoder: ParameterEncoder { public static var `default`: Self { .init() }
 public func encode<P: Encodable & Sendable>(_ p: P?, into r: URLRequest) throws -> URLRequest { r } }
extension Request { public func cURLDescription() -> String { "" } }

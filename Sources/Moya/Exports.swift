// SPDX-License-Identifier: MIT

// What the public interface of this module mentions, so that a file that says only `import Moya` has it. By name: the whole of
// HTTPSessions would bring names that clash with a caller's other imports.
@_exported import Foundation

@_exported import enum HTTPSessions.AFError
@_exported import class HTTPSessions.DownloadRequest
@_exported import struct HTTPSessions.HTTPMethod
@_exported import typealias HTTPSessions.Parameters
@_exported import class HTTPSessions.Request
@_exported import protocol HTTPSessions.URLRequestConvertible

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

// SPDX-License-Identifier: MIT

// What the public interface of this module mentions, so that a file that says only `import Moya` has it. By name: the whole of
// HTTPSessions would bring names that clash with a caller's other imports.
@_exported import Foundation

@_exported import class HTTPAuthentication.FileSecretStore
@_exported import class HTTPAuthentication.MemorySecretStore
@_exported import struct HTTPAuthentication.OAuth2AuthorizationServer
@_exported import struct HTTPAuthentication.OAuth2Client
@_exported import struct HTTPAuthentication.OAuth2ClientAuthentication
@_exported import struct HTTPAuthentication.OAuth2ClientError
@_exported import struct HTTPAuthentication.OAuth2TokenResponse
@_exported import protocol HTTPAuthentication.SecretStore
@_exported import struct HTTPAuthentication.SecretStoreError
@_exported import class HTTPAuthentication.StoredValue
@_exported import enum HTTPSessions.AFError
@_exported import class HTTPSessions.DownloadRequest
@_exported import struct HTTPSessions.HTTPMethod
@_exported import struct HTTPSessions.OAuth2Credential
@_exported import class HTTPSessions.OAuth2TokenAuthenticator
@_exported import typealias HTTPSessions.Parameters
@_exported import class HTTPSessions.Request
@_exported import protocol HTTPSessions.URLRequestConvertible

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

#if canImport(Security)
@_exported import class HTTPAuthentication.KeychainStore
#endif
#if SecretService && os(Linux)
@_exported import class HTTPAuthentication.SecretServiceStore
#endif

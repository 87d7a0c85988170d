// SPDX-License-Identifier: MIT

// What the public interface of this module mentions.
@_exported import Foundation

@_exported import class HTTPAuthentication.ExclusiveAccess
@_exported import class HTTPAuthentication.FileSecretStore
@_exported import class HTTPAuthentication.MemorySecretStore
@_exported import class HTTPAuthentication.OAuth2AuthorizationRequest
@_exported import struct HTTPAuthentication.OAuth2AuthorizationServer
@_exported import struct HTTPAuthentication.OAuth2Client
@_exported import struct HTTPAuthentication.OAuth2ClientAuthentication
@_exported import struct HTTPAuthentication.OAuth2ClientError
@_exported import struct HTTPAuthentication.OAuth2DeviceAuthorization
@_exported import struct HTTPAuthentication.OAuth2TokenResponse
@_exported import protocol HTTPAuthentication.SecretStore
@_exported import struct HTTPAuthentication.SecretStoreError
@_exported import class HTTPAuthentication.StoredValue
@_exported import struct HTTPMessages.ClientCertificate
@_exported import struct HTTPMessages.HTTPError
@_exported import protocol HTTPMessages.HTTPTransport
@_exported import struct HTTPMessages.Origin
@_exported import enum HTTPMessages.ProxyPolicy
@_exported import struct HTTPMessages.ProxyServer
@_exported import protocol HTTPMessages.ServerTrustPolicy
@_exported import struct HTTPMessages.SystemTrustChecks
@_exported import struct HTTPMessages.TLSConfiguration
@_exported import struct HTTPMessages.TransferMetrics
@_exported import struct HTTPMessages.TransportConfiguration
@_exported import struct HTTPMessages.TransportLimits

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

#if canImport(Security)
@_exported import class HTTPAuthentication.KeychainStore
#endif
#if SecretService && os(Linux)
@_exported import class HTTPAuthentication.SecretServiceStore
#endif

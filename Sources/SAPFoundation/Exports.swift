// SPDX-License-Identifier: MIT

// So that a file that says only `import SAPFoundation` has the types that this module's interface mentions.
@_exported import Foundation

@_exported import class HTTPAuthentication.ExclusiveAccess
@_exported import class HTTPAuthentication.FileSecretStore
@_exported import class HTTPAuthentication.MemorySecretStore
@_exported import protocol HTTPAuthentication.SecretStore
@_exported import struct HTTPAuthentication.SecretStoreError
@_exported import struct HTTPMessages.ClientCertificate
@_exported import protocol HTTPMessages.HTTPTransport
@_exported import enum HTTPMessages.ProxyPolicy
@_exported import struct HTTPMessages.ProxyServer
@_exported import protocol HTTPMessages.ServerTrustPolicy
@_exported import struct HTTPMessages.SystemTrustChecks
@_exported import struct HTTPMessages.TLSConfiguration
@_exported import struct HTTPMessages.TransportConfiguration
@_exported import struct HTTPMessages.TransportLimits
@_exported import class HTTPSessions.ServerTrustCredential

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

#if canImport(Security)
@_exported import class HTTPAuthentication.KeychainStore
#endif
#if SecretService && os(Linux)
@_exported import class HTTPAuthentication.SecretServiceStore
#endif

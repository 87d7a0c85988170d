// SPDX-License-Identifier: MIT

#if canImport(Security)
import Foundation
import Security

/// Keeps secrets in the Keychain, as generic passwords, readable on this device once it has been unlocked after a start.
///
/// Exclusive access reaches over all who share the instance; other processes with the same access group are not kept out.
public final class KeychainStore: SecretStore {
    /// Whose secrets these are, such as the app's bundle identifier.
    public let service: String
    private let accessGroup: String?
    private let turns = KeyedTurns()

    /// A store for `service`; with an access group one that the group's apps share.
    public init(service: String, accessGroup: String? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }

    /// What the Keychain keeps under the key.
    /// - Throws: ``SecretStoreError``, as for each method.
    public func secret(for key: String) throws(SecretStoreError) -> Data? {
        var query = query(key)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw .keychain(status: status) }
        return found as? Data
    }

    /// Keeps a secret under the key.
    public func setSecret(_ secret: Data, for key: String) throws(SecretStoreError) {
        let update: [CFString: Any] = [kSecValueData: secret]
        var status = SecItemUpdate(query(key) as CFDictionary, update as CFDictionary)
        if status == errSecItemNotFound {
            var item = query(key)
            item[kSecValueData] = secret
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            status = SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw .keychain(status: status) }
    }

    /// Drops what the Keychain keeps under the key.
    public func removeSecret(for key: String) throws(SecretStoreError) { try delete(query(key)) }

    /// Drops everything that the Keychain keeps for ``service``.
    public func removeAllSecrets() throws(SecretStoreError) { try delete(query(nil)) }

    /// Waits for the key's turn, in the order of arrival.
    public func exclusiveAccess(to key: String) async throws -> ExclusiveAccess { try await turns.turn(for: key) }

    private func query(_ key: String?) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        query[kSecAttrAccount] = key
        query[kSecAttrAccessGroup] = accessGroup
        #if os(macOS)
        // Not the older Keychain of files, whose items are guarded by lists of programs.
        query[kSecUseDataProtectionKeychain] = accessGroup == nil ? nil : true
        #endif
        return query
    }

    private func delete(_ query: [CFString: Any]) throws(SecretStoreError) {
        var query = query
        #if os(macOS)
        // Without it the older Keychain deletes one item only.
        if accessGroup == nil { query[kSecMatchLimit] = kSecMatchLimitAll }
        #endif
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw .keychain(status: status) }
    }
}

extension KeychainStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Whose secrets these are.
    public var description: String { "KeychainStore(\(service))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["service": service]) }
}
#endif

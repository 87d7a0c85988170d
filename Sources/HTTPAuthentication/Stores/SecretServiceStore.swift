// SPDX-License-Identifier: MIT

#if SecretService && os(Linux)
import Foundation
import HTTPMessages
internal import CSecretService

/// Keeps secrets in the desktop's keyring (the Secret Service of freedesktop.org, by libsecret); with the trait `SecretService`.
///
/// The keyring encrypts them and is unlocked when the person logs in; while it is, every program of that person can read them. A call waits
/// on its thread while the desktop asks the person to unlock it. Exclusive access reaches over all programs that use the same name and
/// folder of locks.
public final class SecretServiceStore: SecretStore {
    /// Whose secrets these are.
    public let service: String
    private let locks: FileSecretStore

    /// A store for the program, or programs, that call themselves `service`, such as `com.example.orders`.
    /// - Parameters:
    ///   - lockFolder: where the locks between processes are; by default a folder named like `service` in the person's runtime folder
    ///     (`XDG_RUNTIME_DIR`), or in the temporary folder.
    public init(service: String, lockFolder: String? = nil) {
        self.service = service
        let runtimeFolder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
        let name = service.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: ".-_"))) ?? "openmoya"
        let folder = lockFolder ?? (runtimeFolder as NSString).appendingPathComponent("\(name)-\(geteuid())")
        locks = FileSecretStore(path: (folder as NSString).appendingPathComponent("secrets"))
    }

    /// What the keyring keeps under the key.
    /// - Throws: ``SecretStoreError``, as for each method.
    public func secret(for key: String) throws(SecretStoreError) -> Data? {
        var found: Data?
        var message: UnsafeMutablePointer<CChar>?
        let outcome = withUnsafeMutablePointer(to: &found) { found in
            csecret_look_up(
                service, key,
                { context, bytes, count in
                    context?.assumingMemoryBound(to: Data?.self).pointee = bytes.map { Data(bytes: $0, count: count) } ?? Data()
                }, found, &message)
        }
        try Self.check(outcome, message)
        return found
    }

    /// Keeps a secret in the default keyring.
    public func setSecret(_ secret: Data, for key: String) throws(SecretStoreError) {
        var message: UnsafeMutablePointer<CChar>?
        let outcome = secret.withUnsafeBytes { bytes in
            csecret_store(
                service, key, "\(service): \(key)", bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, &message)
        }
        try Self.check(outcome, message)
    }

    /// Drops what the keyring keeps under the key.
    public func removeSecret(for key: String) throws(SecretStoreError) {
        var message: UnsafeMutablePointer<CChar>?
        try Self.check(csecret_clear(service, key, &message), message)
    }

    /// Drops everything that the keyring keeps for ``service``.
    public func removeAllSecrets() throws(SecretStoreError) {
        var message: UnsafeMutablePointer<CChar>?
        try Self.check(csecret_clear(service, nil, &message), message)
    }

    /// Waits for the key's turn in this process, then for the lock between processes.
    public func exclusiveAccess(to key: String) async throws -> ExclusiveAccess { try await locks.exclusiveAccess(to: key) }

    private static func check(_ outcome: csecret_outcome, _ message: UnsafeMutablePointer<CChar>?) throws(SecretStoreError) {
        let reason = message.map { String(cString: $0) } ?? "no reason given"
        csecret_free(message)
        switch outcome {
        case CSECRET_DONE, CSECRET_NOTHING: return
        case CSECRET_LOCKED: throw .keyringLocked
        default: throw .keyringUnavailable(reason)
        }
    }
}

extension SecretServiceStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Whose secrets these are.
    public var description: String { "SecretServiceStore(\(service))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["service": service]) }
}
#endif

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Obtains the identity in a PKCS#12 archive (`.p12`, `.pfx`) that came with the program, or that lies in a file.
///
/// The archive is opened once, when the discovery is made. What a ``UserIdentityObserver`` without a passphrase is given needs none: on
/// Linux it is another archive, with the same key and certificates, that the empty passphrase opens. Whoever reads the observer's store has
/// the key, so the store must be one for secrets, such as ``UserIdentityStorage`` over ``SecretCodableStore``. On Apple platforms the archive is
/// obtained as it is, and an observer that was made with this discovery knows its passphrase.
public class PKCS12UserIdentityDiscovery: UserIdentityObtaining, @unchecked Sendable {  // constants only
    /// What is obtained, and what opens it.
    let identity: ClientIdentity

    /// Opens the resource `resourceInBundle` with the extension `resourceType`.
    ///
    /// `bundle`: default the program's own, which on Linux looks beside the executable; resources of a package's target are in `Bundle.module`.
    /// - Throws: ``PKCS12UserIdentityError``.
    public init(resourceInBundle: String, resourceType: String, passphrase: String, bundle: Bundle = .main) throws {
        let name = resourceType.isEmpty ? resourceInBundle : "\(resourceInBundle).\(resourceType)"
        // With an empty name any resource of the type would do.
        guard !resourceInBundle.isEmpty, let file = bundle.url(forResource: resourceInBundle, withExtension: resourceType) else {
            throw PKCS12UserIdentityError.resourceMissing(name: name, folder: (bundle.resourceURL ?? bundle.bundleURL).path)
        }
        identity = try Self.identity(in: file, passphrase: passphrase)
    }

    /// Opens the archive in `file`.
    /// - Throws: ``PKCS12UserIdentityError``.
    public init(contentsOf file: URL, passphrase: String) throws {
        identity = try Self.identity(in: file, passphrase: passphrase)
    }

    private static func identity(in file: URL, passphrase: String) throws -> ClientIdentity {
        guard file.isFileURL, let archive = try? Data(contentsOf: file) else {
            throw PKCS12UserIdentityError.fileUnreadable(path: file.isFileURL ? file.path : file.redactedDescription)
        }
        let name = file.lastPathComponent
        do {
            return try IdentityArchive.open(archive, passphrase: passphrase)
        } catch {
            switch error {
            case .notAnArchive: throw PKCS12UserIdentityError.notAnArchive(name: name)
            case .wrongPassphrase: throw PKCS12UserIdentityError.wrongPassphrase(name: name)
            case .noIdentity: throw PKCS12UserIdentityError.noIdentity(name: name)
            case .unreadable: throw PKCS12UserIdentityError.unsupportedArchive(name: name)
            }
        }
    }

    /// Gives the identity at once, on the caller's thread. It never fails.
    public func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        completionHandler(identity.data, nil)
    }
}

extension PKCS12UserIdentityDiscovery: CustomStringConvertible, CustomReflectable {
    /// A fixed text.
    public var description: String { "identity in a PKCS#12 archive (redacted)" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

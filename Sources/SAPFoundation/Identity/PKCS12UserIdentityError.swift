// SPDX-License-Identifier: MIT

/// Why ``PKCS12UserIdentityDiscovery`` has no identity to give.
public enum PKCS12UserIdentityError: SAPError, Equatable {
    /// The bundle has no such file. `folder` is where it looks for resources.
    case resourceMissing(name: String, folder: String)
    /// The file is not there, or may not be read.
    case fileUnreadable(path: String)
    /// The file is no PKCS#12 archive.
    case notAnArchive(name: String)
    /// The passphrase does not open the archive.
    case wrongPassphrase(name: String)
    /// The archive has no key, or no certificate that belongs to its key.
    case noIdentity(name: String)
    /// The system does not know the archive's encryption, or opening it would take more than 10,000,000 rounds of key derivation (Linux).
    case unsupportedArchive(name: String)

    /// What to do, too.
    public var description: String {
        switch self {
        case .resourceMissing(let name, let folder):
            "The bundle has no resource “\(name)” in \(folder). Add the file to the target's resources and name the target's bundle, or give "
                + "the file's URL: PKCS12UserIdentityDiscovery(contentsOf:passphrase:)."
        case .fileUnreadable(let path): "The file \(path) is missing or may not be read. Check its path and its permissions."
        case .notAnArchive(let name):
            "“\(name)” is not a PKCS#12 archive. Make one of a PEM certificate and its key with: "
                + "openssl pkcs12 -export -in certificate.pem -inkey key.pem -out identity.p12"
        case .wrongPassphrase(let name):
            "The passphrase does not open “\(name)”, or the file is damaged. Pass the passphrase that the archive was exported with."
        case .noIdentity(let name):
            "“\(name)” holds no identity: a private key and the certificate that belongs to it. Export it again, the private key included."
        case .unsupportedArchive(let name):
            "This system cannot read “\(name)”: it does not know the encryption, or nothing in the archive tells whether the passphrase is "
                + "right, or opening it would take far too long. Export it again with a current tool, or install OpenSSL's legacy provider."
        }
    }
}

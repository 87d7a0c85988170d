// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import SAPFoundation

// snippet.show
/// Shows servers that ask for a certificate the one in `client.p12`.
func payrollSession(passphrase: String) throws -> SAPURLSession {
    let archive = URL(fileURLWithPath: NSHomeDirectory() + "/.config/payroll/client.p12")
    let secrets = SecretCodableStore(FileSecretStore(path: NSHomeDirectory() + "/.config/payroll/secrets.json"))
    let session = SAPURLSession()
    session.register(
        UserIdentityObserver(
            userIdentityDiscovery: try PKCS12UserIdentityDiscovery(contentsOf: archive, passphrase: passphrase),
            identityStore: UserIdentityStorage(store: secrets)))
    return session
}

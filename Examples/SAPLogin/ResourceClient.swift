// SPDX-License-Identifier: MIT

import SAPFoundation

// snippet.client
/// Loads resources that are guarded by Basic authentication; it is its own store of credentials, as the usage section has it.
final class ResourceClient {
    private let sapURLSessionForResource = SAPURLSession()
    private let secrets: FileSecretStore

    /// Asks on the terminal, or by an alert, for what is not stored.
    init(secrets: FileSecretStore) {
        self.secrets = secrets
        let basicAuthenticationObserver = BasicAuthenticationObserver(basicCredentialStore: self)
        sapURLSessionForResource.register(basicAuthenticationObserver)
    }

    /// Asks `discovery` instead.
    init(secrets: FileSecretStore, discovery: any BasicCredentialDiscovery) {
        self.secrets = secrets
        let basicAuthenticationObserver = BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: self)
        sapURLSessionForResource.register(basicAuthenticationObserver)
    }

    func load(_ resourceURL: URL, then handle: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) {
        let request = URLRequest(url: resourceURL)
        let dataTask = sapURLSessionForResource.dataTask(with: request) { data, response, error in
            // Handle the error and the response
            handle(data, response, error)
        }
        dataTask.resume()
    }

    /// Drops every credential that this client has stored or used.
    func logOut() {
        for case let observer as any TokenStoreManaging in sapURLSessionForResource.registeredObservers { observer.clear() }
    }

    /// The session holds the observer, and that its store: this client lives until here.
    func close() { sapURLSessionForResource.finishTasksAndInvalidate() }
}

extension ResourceClient: BasicCredentialStoring {
    func store(credential: BasicCredential, for url: URL) throws -> Void {
        // save the BasicCredential to a secure storage
        try secrets.setValue(credential, for: key(url))
    }

    func credential(for url: URL) throws -> BasicCredential? {
        // return the BasicCredential from the secure storage
        try secrets.value(for: key(url))
    }

    func delete(for url: URL) throws -> Void {
        // delete the BasicCredential from the secure storage
        try secrets.removeSecret(for: key(url))
    }

    /// One credential a server: here these differ by their ports.
    private func key(_ url: URL) -> String { "\(url.host ?? ""):\(url.port ?? 0)" }
}
// snippet.end

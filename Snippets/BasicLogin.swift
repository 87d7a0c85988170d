// SPDX-License-Identifier: MIT

import SAPFoundation

// snippet.store
/// Keeps credentials by host; an app keeps them in secure storage.
final class CredentialStore: BasicCredentialStoring {
    private var credentials: [String: BasicCredential] = [:]

    func store(credential: BasicCredential, for url: URL) throws { credentials[url.host ?? ""] = credential }
    func credential(for url: URL) throws -> BasicCredential? { credentials[url.host ?? ""] }
    func delete(for url: URL) throws { credentials[url.host ?? ""] = nil }
}
// snippet.end

// snippet.session
let session = SAPURLSession()
session.register(BasicAuthenticationObserver(basicCredentialStore: CredentialStore()))

func load(_ url: URL) {
    session.dataTask(with: URLRequest(url: url)) { data, response, error in
        // The 200, once: the 401 before it was answered with what the person typed on the terminal.
        print((response as? HTTPURLResponse)?.statusCode ?? 0, data?.count ?? 0, error?.localizedDescription ?? "no error")
        exit(error == nil ? 0 : 1)
    }.resume()
}
// snippet.end

guard let text = CommandLine.arguments.dropFirst().first, let url = URL(string: text) else {
    print("usage: BasicLogin URL")
    exit(64)
}
load(url)
RunLoop.main.run()

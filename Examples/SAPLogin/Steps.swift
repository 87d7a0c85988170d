// SPDX-License-Identifier: MIT

import ExampleTerminal
import SAPFoundation

/// What the program shows.
struct Steps {
    private struct Outcome: Sendable {
        let status: Int
        let length: Int
        let error: (any Error)?
    }

    private let resourceURL: URL
    private let otherResourceURL: URL
    private let secrets: FileSecretStore
    private let right = BasicCredential(username: "user", password: "passwd")
    private let wrong = BasicCredential(username: "user", password: "guessed")

    /// Two guarded resources, on two servers; passwords are kept in the file `secrets`.
    init(_ resources: [URL], secrets file: URL) {
        resourceURL = resources[0]
        otherResourceURL = resources[1]
        secrets = FileSecretStore(path: file.path)
    }

    /// Everything, without a person.
    func run() async throws {
        Terminal.title("Basic authentication, with Apache at \(resourceURL.absoluteString)")
        try await nothingStored()
        try await stored()
        try await refused()
        try await givenUp()
        Terminal.title("A second server, nginx at \(otherResourceURL.absoluteString)")
        try await anotherServer()
        try await loggedOut()
    }

    /// The usage section as it stands: who is not stored is asked on the terminal.
    func ask() async throws {
        Terminal.title("Log in at \(resourceURL.absoluteString) as \(right.username), with the password \(right.password)")
        let client = ResourceClient(secrets: secrets)
        defer { client.close() }
        try expectContent(await load(resourceURL, with: client))
        Terminal.done("logged in", "200; the caller never saw the 401")
        try expectContent(await load(resourceURL, with: client))
        Terminal.done("another request", "200; nobody is asked twice")
    }

    private func nothingStored() async throws {
        let keyboard = Keyboard(right)
        let client = ResourceClient(secrets: secrets, discovery: keyboard)
        defer { client.close() }
        try expectContent(await load(resourceURL, with: client))
        try check(keyboard.questions == [0], "one question, not \(keyboard.questions)")
        try check(try client.credential(for: resourceURL) == right, "the credential to be stored")
        Terminal.done("nothing stored: the person is asked, once", "200; the caller never saw the 401")
        let mode = try FileManager.default.attributesOfItem(atPath: secrets.path)[.posixPermissions] as? Int ?? 0
        try check(mode == 0o600, "a file that only its owner can read, not one of mode \(String(mode, radix: 8))")
        Terminal.done("the credential is stored when the server has accepted it", "in a file of mode 600")
    }

    /// The usage section as it stands; nobody is at the terminal, and nobody needs to be.
    private func stored() async throws {
        let client = ResourceClient(secrets: secrets)
        defer { client.close() }
        try expectContent(await load(resourceURL, with: client))
        Terminal.done("the program's next start: the store knows it", "200; nobody is asked")
    }

    private func refused() async throws {
        let keyboard = Keyboard(right)
        let client = ResourceClient(secrets: secrets, discovery: keyboard)
        defer { client.close() }
        try client.store(credential: wrong, for: resourceURL)
        try expectContent(await load(resourceURL, with: client))
        try check(keyboard.questions == [1], "one question, after one refusal, not \(keyboard.questions)")
        try check(try client.credential(for: resourceURL) == right, "the credential that was accepted to be stored")
        Terminal.done("the password has changed: the stored one is deleted, the person is asked", "200")
    }

    private func givenUp() async throws {
        let client = ResourceClient(secrets: secrets, discovery: Keyboard(wrong))
        defer { client.close() }
        try client.delete(for: resourceURL)
        let outcome = await load(resourceURL, with: client)
        guard case BasicCredentialDiscoveryError.cancelled? = outcome.error else {
            throw StepFailure("expected the person's giving up as the error, not \(outcome.error.map { "\($0)" } ?? "none")")
        }
        try check(outcome.status == 401, "the 401, not \(outcome.status)")
        try check(try client.credential(for: resourceURL) == nil, "a refused credential not to be stored")
        Terminal.done("a wrong password, and the person gives up", "401, and the error says so; nothing is stored")
    }

    private func anotherServer() async throws {
        let keyboard = Keyboard(right, right)
        let client = ResourceClient(secrets: secrets, discovery: keyboard)
        defer { client.close() }
        try expectContent(await load(resourceURL, with: client))
        try expectContent(await load(otherResourceURL, with: client))
        try check(keyboard.questions == [0, 0], "one question for each server, not \(keyboard.questions)")
        Terminal.done("each server asks for itself", "200 and 200; what is stored for one is not sent to the other")
    }

    private func loggedOut() async throws {
        let keyboard = Keyboard(right)
        let client = ResourceClient(secrets: secrets, discovery: keyboard)
        defer { client.close() }
        try expectContent(await load(otherResourceURL, with: client))
        try check(keyboard.questions.isEmpty, "no question while the credential is stored")
        client.logOut()
        try check(try client.credential(for: otherResourceURL) == nil, "the credential to be gone")
        try expectContent(await load(otherResourceURL, with: client))
        try check(keyboard.questions == [0], "a question after the log-out, not \(keyboard.questions)")
        Terminal.done("a log-out: the credential is deleted", "200, the person having been asked again")
    }

    private func load(_ url: URL, with client: ResourceClient) async -> Outcome {
        await withCheckedContinuation { continuation in
            client.load(url) { data, response, error in
                continuation.resume(
                    returning: Outcome(status: (response as? HTTPURLResponse)?.statusCode ?? 0, length: data?.count ?? 0, error: error))
            }
        }
    }

    private func expectContent(_ outcome: Outcome) throws {
        if let error = outcome.error { throw error }
        try check(outcome.status == 200 && outcome.length == 183, "200 with 183 bytes, not \(outcome.status) with \(outcome.length)")
    }
}

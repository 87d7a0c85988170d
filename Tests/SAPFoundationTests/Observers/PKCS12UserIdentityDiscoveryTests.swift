// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import SAPFoundation
import Testing

/// Files in a folder of the test's own, which is also a bundle of resources.
private final class Folder: Sendable {
    let url = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
        .appendingPathComponent("openmoya-identity-\(UUID().uuidString)", isDirectory: true)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }
}

private func obtained(from discovery: PKCS12UserIdentityDiscovery) async throws -> Data {
    let (identity, error) = await callbackValue { callback in discovery.obtainUserIdentity { callback(($0, $1)) } }
    #expect(error == nil)
    return try #require(identity)
}

@Suite(.timeLimit(.minutes(1)))
struct PKCS12UserIdentityDiscoveryTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func discovery(_ content: Data, passphrase: String = Archives.passphrase) throws -> PKCS12UserIdentityDiscovery {
        try PKCS12UserIdentityDiscovery(contentsOf: folder.file("a.p12", content), passphrase: passphrase)
    }

    /// Old archives need OpenSSL's legacy provider, which not every machine has.
    @Test func `an archive in an old encryption is obtained in a current one, or refused with a word about its encryption`() async throws {
        do {
            let identity = try await obtained(from: try discovery(Archives.legacy))
            #expect(identity != Archives.legacy)
            // What was obtained needs no passphrase, and another does not open it.
            #expect(try await !obtained(from: discovery(identity, passphrase: "")).isEmpty)
            #expect(throws: PKCS12UserIdentityError.wrongPassphrase(name: "a.p12")) { try discovery(identity) }
        } catch let error as PKCS12UserIdentityError {
            #expect(error == .unsupportedArchive(name: "a.p12"))
        }
    }

    @Test(arguments: ["", "open sesam", "open sesame\0", "Open sesame", "öffne dich"])
    func `another passphrase is refused, and not shown`(passphrase: String) throws {
        let error = #expect(throws: PKCS12UserIdentityError.self) { try discovery(Archives.certificateOnly, passphrase: passphrase) }
        #expect(error == .wrongPassphrase(name: "a.p12"))
        #expect(passphrase.isEmpty || error?.description.contains(passphrase) == false)
    }

    #if os(Linux)
    @Test(arguments: [(Archives.costlyCode, Archives.passphrase), (Archives.costlyKey, "")])
    func `an archive that would take hours to open is refused at once`(archive: Data, passphrase: String) {
        #expect(throws: PKCS12UserIdentityError.unsupportedArchive(name: "a.p12")) { try discovery(archive, passphrase: passphrase) }
    }
    #endif

    @Test(arguments: [Archives.certificateOnly, Archives.keyOnly])
    func `an archive without a key, or without its certificate, has no identity`(archive: Data) {
        #expect(throws: PKCS12UserIdentityError.noIdentity(name: "a.p12")) { try discovery(archive) }
    }

    @Test(arguments: [
        Data(), Data("-----BEGIN CERTIFICATE-----\n".utf8), Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
        Data(repeating: 0x30, count: 100_000), Archives.legacy.dropLast(),
    ])
    func `what is no archive is refused with a way to make one`(content: Data) {
        let error = #expect(throws: PKCS12UserIdentityError.self) { try discovery(content) }
        #expect(error == .notAnArchive(name: "a.p12"))
        #expect(error?.description.contains("openssl pkcs12 -export") == true)
    }

    @Test func `a byte that has been changed ends in an error, or changes nothing`() throws {
        for index in stride(from: 0, to: Archives.legacy.count, by: 7) {
            var archive = Archives.legacy
            archive[index] ^= 0x55
            // The byte may be one that no code protects.
            do { _ = try discovery(archive) } catch is PKCS12UserIdentityError {}
        }
    }

    @Test func `an archive that cannot tell whether its passphrase is right is refused`() {
        #expect(throws: PKCS12UserIdentityError.unsupportedArchive(name: "a.p12")) { try discovery(Archives.withoutCode) }
    }

    @Test func `a missing file is named, and so are a resource and the folder it would be in`() throws {
        let bundle = try #require(Bundle(url: folder.url))
        let path = folder.url.appendingPathComponent("none.p12").path
        #expect(throws: PKCS12UserIdentityError.fileUnreadable(path: path)) {
            try PKCS12UserIdentityDiscovery(contentsOf: URL(fileURLWithPath: path), passphrase: "")
        }
        for name in ["none", ""] {
            let error = #expect(throws: PKCS12UserIdentityError.self) {
                try PKCS12UserIdentityDiscovery(resourceInBundle: name, resourceType: "p12", passphrase: "", bundle: bundle)
            }
            guard case .resourceMissing(let missing, let place)? = error else {
                Issue.record("unexpected error: \(String(describing: error))")
                continue
            }
            #expect(missing == "\(name).p12")
            #expect(URL(fileURLWithPath: place).lastPathComponent == folder.url.lastPathComponent)
        }
    }

    /// In a process of its own, since a bundle looks once what is in its folder.
    @Test func `a resource of the program's own needs no bundle named`() async {
        await #expect(processExitsWith: .success) {
            let name = "openmoya-identity-\(UUID().uuidString)"
            let file = (Bundle.main.resourceURL ?? Bundle.main.bundleURL).appendingPathComponent(name + ".p12")
            try Archives.certificateOnly.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(throws: PKCS12UserIdentityError.noIdentity(name: name + ".p12")) {
                try PKCS12UserIdentityDiscovery(resourceInBundle: name, resourceType: "p12", passphrase: Archives.passphrase)
            }
            #expect(throws: PKCS12UserIdentityError.self) {
                try PKCS12UserIdentityDiscovery(resourceInBundle: name, resourceType: "pem", passphrase: Archives.passphrase)
            }
        }
    }
}

/// Against nginx, which wants a client certificate.
@Suite(
    .timeLimit(.minutes(1)), .enabled(if: StartedServer.httpsClientCertificate.isExpected, "needs nginx: run Scripts/test"),
    .enabled(if: DefaultTransport.make().capabilities.contains(.clientCertificates), "the engine has no client certificates"))
struct PKCS12UserIdentityObserverTests {
    /// The status of a request that shows what `discovery` obtains, to an observer that was told no passphrase.
    private func status(_ discovery: any UserIdentityObtaining, _ store: UserIdentityStorage) async throws -> Int? {
        var connections = TransportConfiguration()
        connections.tls.authorities = .pemFile(try StartedServer.file("CA_FILE"))
        let session = SAPURLSession(connections: connections)
        session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: store))
        let outcome = await session.outcome(of: try StartedServer.httpsClientCertificate.url.appendingPathComponent("message.json"))
        #expect(outcome.error == nil)
        return outcome.status
    }

    /// Gives nothing; for observers that find all they need in their store.
    private struct NoDiscovery: UserIdentityObtaining {
        func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
            completionHandler(nil, CancellationError())
        }
    }

    @Test func `a resource of a bundle logs in at a server that wants a certificate, now and from the store`() async throws {
        let folder = try Folder()
        _ = try folder.file("client.p12", Data(contentsOf: StartedServer.file("CLIENT_PKCS12_FILE")))
        let passphrase = try StartedServer.value("CLIENT_PKCS12_PASSWORD")
        let discovery = try PKCS12UserIdentityDiscovery(
            resourceInBundle: "client", resourceType: "p12", passphrase: passphrase, bundle: #require(Bundle(url: folder.url)))
        let store = UserIdentityStorage(store: InMemoryCodableStore())

        #expect(try await status(discovery, store) == 200)
        let stored = try store.identity(for: StartedServer.httpsClientCertificate.url)
        #expect(try await stored == obtained(from: discovery))
        #if !canImport(Security)
        #expect(try await status(NoDiscovery(), store) == 200)
        #endif
        #expect(!"\(discovery) \(String(reflecting: discovery))".contains(passphrase))
        #expect(Mirror(reflecting: discovery).children.isEmpty)
    }
}

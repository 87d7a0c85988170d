// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import SAPFoundation
import Testing

/// Against nginx, which wants a client certificate.
@Suite(
    .timeLimit(.minutes(1)), .enabled(if: StartedServer.httpsClientCertificate.isExpected, "needs nginx: run Scripts/test"),
    .enabled(if: DefaultTransport.make().capabilities.contains(.clientCertificates), "the engine has no client certificates"))
struct UserIdentityObserverTests {
    private final class Discovery: UserIdentityObtaining, Sendable {
        let count = Locked(0)
        let identity: Data
        init(_ identity: Data) { self.identity = identity }
        func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
            count.withLock { $0 += 1 }
            completionHandler(identity, nil)
        }
    }

    private func connections() throws -> TransportConfiguration {
        var connections = TransportConfiguration()
        connections.tls.authorities = .pemFile(try StartedServer.file("CA_FILE"))
        return connections
    }

    private func session(
        _ store: UserIdentityStorage, _ discovery: Discovery, passphrase: String
    ) throws -> SAPURLSession {
        let session = SAPURLSession(connections: try connections())
        session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: store, passphrase: passphrase))
        return session
    }

    private var url: URL { get throws { try StartedServer.httpsClientCertificate.url.appendingPathComponent("message.json") } }

    @Test func `a server that wants a certificate gets a new one, which is stored and shown at once from then on`() async throws {
        let archive = try Data(contentsOf: StartedServer.file("CLIENT_PKCS12_FILE"))
        let passphrase = try StartedServer.value("CLIENT_PKCS12_PASSWORD")
        let discovery = Discovery(archive)
        let store = UserIdentityStorage(store: InMemoryCodableStore())
        let session = try session(store, discovery, passphrase: passphrase)

        let outcome = await session.outcome(of: try url)
        #expect(outcome.status == 200)
        #expect(outcome.error == nil)
        #expect(try store.identity(for: url) == archive)

        let events = EventRecorder<String>()
        session.register(RecordingObserver("last", events))
        #expect(await session.outcome(of: try url).status == 200)
        #expect(discovery.count.withLock { $0 } == 1)
        #expect(events.events.filter { $0 == "last create" }.count == 1)
    }

    @Test func `requests at the same time share one obtaining`() async throws {
        let discovery = Discovery(try Data(contentsOf: StartedServer.file("CLIENT_PKCS12_FILE")))
        let session = try session(
            UserIdentityStorage(store: InMemoryCodableStore()), discovery, passphrase: try StartedServer.value("CLIENT_PKCS12_PASSWORD"))
        let url = try url

        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<10 { group.addTask { await session.outcome(of: url).status } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }

        #expect(statuses == Array(repeating: 200, count: 10))
        #expect(discovery.count.withLock { $0 } == 1)
    }

    @Test func `PEM serves, too`() async throws {
        let pem =
            try Data(contentsOf: StartedServer.file("CLIENT_CERTIFICATE_FILE")) + Data(contentsOf: StartedServer.file("CLIENT_KEY_FILE"))
        let store = UserIdentityStorage(store: InMemoryCodableStore())
        let session = try session(store, Discovery(pem), passphrase: "")
        #expect(await session.outcome(of: try url).status == 200)
    }

    /// A certificate, with its key, whose issuer the server does not know.
    private var stranger: Data {
        get throws {
            let folder = try StartedServer.file("CA_FILE").deletingLastPathComponent()
            return try ["self_signed.pem", "self_signed.key"].reduce(into: Data()) {
                $0 += try Data(contentsOf: folder.appendingPathComponent($1))
            }
        }
    }

    @Test func `a stored identity that is refused is deleted, and a new one takes its place`() async throws {
        let accepted =
            try Data(contentsOf: StartedServer.file("CLIENT_CERTIFICATE_FILE")) + Data(contentsOf: StartedServer.file("CLIENT_KEY_FILE"))
        let discovery = Discovery(accepted)
        let store = UserIdentityStorage(store: InMemoryCodableStore())
        try store.store(identity: stranger, for: url)

        #expect(try await session(store, discovery, passphrase: "").outcome(of: try url).status == 200)

        #expect(discovery.count.withLock { $0 } == 1)
        #expect(try store.identity(for: url) == accepted)
    }

    @Test func `a new identity that is refused ends the matter, and is not stored`() async throws {
        let discovery = Discovery(try stranger)
        let store = UserIdentityStorage(store: InMemoryCodableStore())

        let outcome = try await session(store, discovery, passphrase: "").outcome(of: try url)

        #expect(outcome.status == 400)
        #expect(outcome.error == nil)
        #expect(discovery.count.withLock { $0 } == 1)
        #expect(try store.identity(for: url) == nil)
    }

    @Test func `without an observer the server's own answer arrives`() async throws {
        let outcome = await SAPURLSession(connections: try connections()).outcome(of: try url)
        #expect(outcome.status == 400)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EverythingPrintedTests {
    static let basic = "Basic " + Data("\(Looker.user):\(Looker.password)".utf8).base64EncodedString()

    /// Fields that carry secrets, by the names under which they come.
    static let fields = [
        "Authorization": basic, "Proxy-Authorization": basic, "Cookie": "a=\(Looker.token)", "Set-Cookie": "a=\(Looker.token)",
        "X-CSRF-Token": Looker.token, "X-Api-Key": Looker.token, "X-Auth-Token": Looker.token,
    ]

    static func url(_ port: Int = 9, scheme: String = "http", path: String = "/in") throws -> URL {
        let password = Looker.password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try #require(
            URL(string: "\(scheme)://\(Looker.user):\(password)@127.0.0.1:\(port)\(path)?access_token=\(Looker.token)"))
    }

    func lookAtMessages(_ looker: Looker) throws {
        var fields = HTTPFields()
        for (name, value) in Self.fields { fields.append(name: name, value: value) }
        looker.look(at: fields, "HTTPFields")
        for field in fields { looker.look(at: field, "a field") }
        looker.look(at: HTTPRequest(method: "POST", url: try Self.url(), fields: fields), "HTTPRequest")
        looker.look(at: HTTPResponseHead(status: 200, fields: fields), "HTTPResponseHead")
        looker.look(at: Origin(url: try Self.url()) as Any, "Origin")
        looker.look(at: try Self.url().redactedDescription, "a redacted URL")
        looker.look(
            at: ProxyServer(kind: .http, host: "proxy", port: 8080, user: Looker.user, password: Looker.password), "ProxyServer")
        looker.look(
            at: TransportAuthentication(scheme: .ntlm, user: Looker.user, password: Looker.password), "TransportAuthentication")
        var configuration = TransportConfiguration()
        configuration.proxy = .proxy(
            ProxyServer(kind: .http, host: "proxy", port: 8080, user: Looker.user, password: Looker.password), except: [])
        configuration.tls.clientCertificate = ClientCertificate(.pkcs12(Data("no archive".utf8)), passphrase: Looker.password)
        looker.look(at: configuration, "TransportConfiguration")
        looker.look(at: configuration.tls, "TLSConfiguration")
        looker.look(at: configuration.tls.clientCertificate as Any, "ClientCertificate")

        let credential = UserCredential(userID: Looker.user, password: Looker.password)
        looker.look(at: credential, "UserCredential")
        looker.look(at: Optional(credential) as Any, "an optional credential")
        looker.look(at: [credential: "a key"], "a credential as a key")
        for text in ["Bearer realm=\"x\" \(Looker.token)", "Basic \"\(Looker.token)", "=\(Looker.token)"] {
            do {
                looker.look(at: try Challenge.parse([text]), "challenges")
            } catch {
                looker.look(at: error, "the error of a challenge")
            }
        }
    }

    func lookAtStores(_ looker: Looker) async throws {
        struct Token: Codable, Equatable, Sendable {
            let token: String
        }
        let folder = NSTemporaryDirectory() + "openmoya-secrets-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = FileSecretStore(path: folder + "/secrets.json")
        for store in [file, MemorySecretStore()] as [any SecretStore] {
            try store.setValue(Looker.token, for: "key")
            looker.look(at: store, "a store")
            let value = StoredValue(Token.self, in: store, under: "key")
            looker.look(at: value, "StoredValue")
            looker.look(at: try await store.exclusiveAccess(to: "key"), "ExclusiveAccess")
            for attempt in [{ _ = try await value.current() }, { _ = try store.value(Int.self, for: "key") }] as [() async throws -> Void] {
                do {
                    try await attempt()
                } catch {
                    looker.look(at: error, "a store's error")
                }
            }
        }
        for damage in [
            { chmod(file.path, 0o644) }, { _ = try? Data("{\"\(Looker.token)".utf8).write(to: URL(fileURLWithPath: file.path)) },
            {
                _ = unlink(file.path)
                _ = symlink("/etc/passwd", file.path)
            },
        ] as [() -> Void] {
            damage()
            do {
                _ = try file.secret(for: "key")
                Issue.record("a damaged file must be refused")
            } catch {
                looker.look(at: error, "a file store's error")
            }
            chmod(file.path, 0o600)
        }
    }
}

// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPAuthentication
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the program was asked to do.
enum Mode {
    case hold(path: String, key: String)
    case request(path: String, key: String, server: URL, count: Int, name: String)
    case observe(path: String, server: URL, count: Int, name: String)
    case keyring(Keyring.Step, service: String)
    case tickets(TicketErrand)

    init?(_ arguments: [String]) {
        switch (arguments.first, arguments.count) {
        case ("hold", 3): self = .hold(path: arguments[1], key: arguments[2])
        case ("request", 6):
            guard let url = URL(string: arguments[3]), let count = Int(arguments[4]) else { return nil }
            self = .request(path: arguments[1], key: arguments[2], server: url, count: count, name: arguments[5])
        case ("sap", 5):
            guard let url = URL(string: arguments[2]), let count = Int(arguments[3]) else { return nil }
            self = .observe(path: arguments[1], server: url, count: count, name: arguments[4])
        case ("keyring", 2): self = .keyring(.goThrough, service: arguments[1])
        case ("keyring-put", 2): self = .keyring(.put, service: arguments[1])
        case ("keyring-get", 2): self = .keyring(.get, service: arguments[1])
        case ("tickets", 2):
            guard let errand = try? JSONDecoder().decode(TicketErrand.self, from: Data(arguments[1].utf8)) else { return nil }
            self = .tickets(errand)
        default: return nil
        }
    }

    func run() async throws {
        switch self {
        case .hold(let path, let key):
            try await FileSecretStore(path: path).withExclusiveAccess(to: key) {
                // Not by `print`, which a pipe has wait.
                FileHandle.standardOutput.write(Data("held\n".utf8))
                while readLine() != nil {}
            }
        case .request(let path, let key, let server, let count, let name):
            let interceptor = try AuthenticationInterceptor(
                authenticator: RotatingAuthenticator(server: server, client: name), storedIn: FileSecretStore(path: path), key: key,
                refreshWindow: nil)
            let session = Session(configuration: URLSessionConfiguration.af.ephemeral, interceptor: interceptor)
            print(
                await Self.successes(of: count) { number in
                    try await session.request(server.appendingPathComponent("\(name)-\(number)")).validate().serializingString().value
                        == "content"
                })
        case .observe(let path, let server, let count, let name):
            let session = Observed(path: path, server: server, name: name)
            print(await Self.successes(of: count) { try await session.isAnswered($0) })
        case .keyring(let step, let service):
            try await Keyring.run(step, service)
        case .tickets(let errand):
            print(String(decoding: try JSONEncoder().encode(await errand.run()), as: UTF8.self))
        }
    }

    /// How many of the requests succeed, eight at a time.
    private static func successes(of count: Int, _ send: @escaping @Sendable (Int) async throws -> Bool) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var successes = 0
                    for number in stride(from: lane, to: count, by: 8) {
                        do {
                            if try await send(number) { successes += 1 }
                        } catch  where number == lane + successes * 8 {
                            // The first failure of each lane says enough.
                            FileHandle.standardError.write(Data("request \(number): \(error)\n".utf8))
                        } catch {
                            continue
                        }
                    }
                    return successes
                }
            }
            return await group.reduce(0, +)
        }
    }
}

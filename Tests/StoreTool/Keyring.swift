// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication

/// What the test of the desktop's keyring has done in a process of its own, since libsecret finds its service by the process's environment.
enum Keyring {
    private struct Mismatch: Error {
        let step: String
    }

    enum Step { case goThrough, put, get }

    static func run(_ step: Step, _ service: String) async throws {
        #if SecretService && os(Linux)
        switch step {
        case .goThrough: try await goThrough(service)
        case .put:
            try SecretServiceStore(service: service).setSecret(Data("shared".utf8), for: "a")
            print("kept")
        case .get:
            print(try SecretServiceStore(service: service).secret(for: "a") == Data("shared".utf8) ? "found" : "not found")
        }
        #else
        print("built without the trait SecretService")
        #endif
    }

    #if SecretService && os(Linux)
    private static func goThrough(_ service: String) async throws {
        func check(_ isRight: Bool, _ step: String) throws { if !isRight { throw Mismatch(step: step) } }
        let store = SecretServiceStore(service: service)
        try store.removeAllSecrets()
        try check(try store.secret(for: "a") == nil, "empty at first")
        let bytes = Data((0...255).map { UInt8($0) })
        try store.setSecret(bytes, for: "a")
        try store.setValue(["token": "zwölf"], for: "b")
        try check(try store.secret(for: "a") == bytes, "bytes of every value come back")
        try check(try SecretServiceStore(service: service).value([String: String].self, for: "b") == ["token": "zwölf"], "a value")
        try store.setSecret(Data(), for: "a")
        try check(try store.secret(for: "a") == Data(), "replaced by an empty one")
        try check(try SecretServiceStore(service: service + ".other").secret(for: "a") == nil, "another service sees nothing")
        try store.removeSecret(for: "a")
        try store.removeSecret(for: "a")
        try check(try store.secret(for: "a") == nil, "removed")
        try await store.withExclusiveAccess(to: "b") {
            try check(try store.secret(for: "b") != nil, "readable while somebody has exclusive access")
        }
        try store.removeAllSecrets()
        try check(try store.secret(for: "b") == nil, "all removed")
        print("done")
    }
    #endif
}

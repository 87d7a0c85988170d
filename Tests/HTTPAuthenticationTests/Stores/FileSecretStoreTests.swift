// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@testable import HTTPAuthentication

@Suite(.timeLimit(.minutes(1)))
struct FileSecretStoreTests {
    private let folder: SecretFolder

    init() throws { folder = try SecretFolder() }

    private func store(_ name: String = "secrets.json") -> FileSecretStore { FileSecretStore(path: folder.path(name)) }

    private func label(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SecretStoreError)?.label
        }
    }

    @Test func `the file and its folder are the owner's alone, and locks are empty`() async throws {
        let store = store("new/deeper/secrets.json")

        try store.setSecret(Data("s".utf8), for: "a")
        try await store.withExclusiveAccess(to: "a") {}

        #expect(SecretFolder.mode(of: folder.path("new/deeper")) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("new/deeper")).sorted()
        #expect(names.count == 3 && names.filter { $0.hasSuffix(".lock") }.count == 2)
        for name in names {
            #expect(SecretFolder.mode(of: folder.path("new/deeper/\(name)")) == 0o600)
            if name.hasSuffix(".lock") { #expect(FileManager.default.contents(atPath: folder.path("new/deeper/\(name)")) == Data()) }
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o601] as [mode_t])
    func `a file that others may access is refused, for reading and for writing, until its mode is set right`(mode: mode_t) throws {
        let store = store()
        try store.setSecret(Data("s".utf8), for: "a")
        chmod(store.path, mode)

        let error = try #require(throws: SecretStoreError.self) { try store.secret(for: "a") }
        #expect(error.label == "accessibleToOthers")
        #expect(error.localizedDescription.contains("chmod 600") && error.localizedDescription.contains(store.path))
        #expect(label { try store.setSecret(Data(), for: "a") } == "accessibleToOthers")
        #expect(label { try store.removeSecret(for: "a") } == "accessibleToOthers")
        #expect(label { try store.removeAllSecrets() } == "accessibleToOthers")

        chmod(store.path, 0o600)
        #expect(try store.secret(for: "a") == Data("s".utf8))
    }

    @Test func `what is not a regular file is refused without waiting for it`() throws {
        let real = store("real.json")
        try real.setSecret(Data("s".utf8), for: "a")
        symlink(real.path, folder.path("link.json"))
        symlink(folder.path("nowhere"), folder.path("dangling.json"))
        mkfifo(folder.path("pipe.json"), 0o600)
        mkdir(folder.path("folder.json"), 0o700)

        for name in ["link.json", "dangling.json", "pipe.json", "folder.json"] {
            let store = store(name)
            #expect(label { _ = try store.secret(for: "a") } == "notARegularFile", "\(name)")
            #expect(label { try store.setSecret(Data(), for: "a") } == "notARegularFile", "\(name)")
        }
        #expect(try real.secret(for: "a") == Data("s".utf8))
        // A lock is opened as carefully.
        let guarded = store("guarded.json")
        symlink(real.path, guarded.path + ".lock")
        #expect(label { try guarded.setSecret(Data(), for: "a") } == "notARegularFile")
    }

    @Test func `a folder in which others can replace files is refused, a shared one with the sticky bit is not`() throws {
        let store = store("inner/secrets.json")
        try store.setSecret(Data("s".utf8), for: "a")

        chmod(folder.path("inner"), 0o770)
        #expect(label { _ = try store.secret(for: "a") } == "folderWritableByOthers")
        #expect(label { try store.setSecret(Data(), for: "a") } == "folderWritableByOthers")
        chmod(folder.path("inner"), 0o1777)
        #expect(try store.secret(for: "a") == Data("s".utf8))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a file of another user is refused`() throws {
        let store = store()
        try store.setSecret(Data("s".utf8), for: "a")
        chown(store.path, 65_534, 65_534)
        #expect(label { _ = try store.secret(for: "a") } == "ownedByAnother")
    }

    @Test(arguments: ["", "{", "[]", #"{"version":2,"secrets":{}}"#, #"{"version":1,"secrets":{"a":"not base64!"}}"#, "\u{0}\u{1}"])
    func `a file of another form is refused and stays as it is`(text: String) throws {
        let store = store()
        try SecretFolder.write(Data(text.utf8), to: store.path, mode: 0o600)

        #expect(label { _ = try store.secret(for: "a") } == "malformedFile")
        #expect(label { try store.setSecret(Data(), for: "b") } == "malformedFile")
        #expect(FileManager.default.contents(atPath: store.path) == Data(text.utf8))
    }

    @Test func `a file too large to be one of secrets is refused unread`() throws {
        let store = store()
        try SecretFolder.write(Data(), to: store.path, mode: 0o600)
        truncate(store.path, 1 << 34)
        #expect(label { _ = try store.secret(for: "a") } == "fileTooLarge")
        #expect(label { try self.store("other.json").setSecret(Data(count: SecretFile.sizeLimit), for: "a") } == "fileTooLarge")
        #expect(try self.store("other.json").secret(for: "a") == nil)
    }

    @Test func `what a writer that died has left behind does no harm`() throws {
        let store = store()
        try store.setSecret(Data("old".utf8), for: "a")
        // It may have died with the new file half written, and whatever its mode.
        try SecretFolder.write(Data("{".utf8), to: store.path + ".new", mode: 0o644)

        #expect(try store.secret(for: "a") == Data("old".utf8))
        try store.setSecret(Data("new".utf8), for: "b")

        #expect(try store.secret(for: "a") == Data("old".utf8))
        #expect(SecretFolder.mode(of: store.path) == 0o600)
        #expect(folder.names == ["secrets.json", "secrets.json.lock"])
    }

    @Test func `a failed write leaves the old file and nothing else`() throws {
        let store = store()
        try store.setSecret(Data("old".utf8), for: "a")
        // Not empty, so that it cannot be removed.
        mkdir(store.path + ".new", 0o700)
        mkdir(store.path + ".new/x", 0o700)

        let error = try #require(throws: SecretStoreError.self) { try store.setSecret(Data("new".utf8), for: "a") }

        #expect(error.label == "system" && error.systemErrorNumber != nil)
        #expect(try store.secret(for: "a") == Data("old".utf8))
    }

    @Test func `writers of different keys lose nothing, and readers always see a whole file`() async throws {
        let (writers, rounds) = (6, 20)
        let path = folder.path("secrets.json")

        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    // An instance each, as programs have.
                    let store = FileSecretStore(path: path)
                    for round in 0..<rounds {
                        try store.setSecret(Data(repeating: UInt8(round), count: 5_000), for: "\(writer)")
                        for reader in 0..<writers {
                            guard let secret = try store.secret(for: "\(reader)") else { continue }
                            #expect(secret.count == 5_000 && Set(secret).count == 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        for writer in 0..<writers {
            #expect(try FileSecretStore(path: path).secret(for: "\(writer)")?.first == UInt8(rounds - 1))
        }
        #expect(folder.names == ["secrets.json", "secrets.json.lock"])
    }

    @Test func `printing a store shows where it is`() {
        let store = store()
        #expect("\(store)" == "FileSecretStore(\(store.path))")
        #expect("\(MemorySecretStore())" == "MemorySecretStore")
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Keeps secrets in a file, unencrypted, that only its owner can read, and that several programs may share.
///
/// What protects the secrets is the file's mode, and whatever encrypts the disk: every program that runs as this user, and root, can read
/// them. The file has mode 0600 from its making. It is refused, with an error that says what to do, if it is a symbolic link or no regular
/// file, belongs to another user, may be read or written by others, or lies where others can replace it.
///
/// Each change replaces the file as a whole: it is written beside it, synced, and renamed over it, under a lock between processes.
/// Exclusive access to a key reaches over all programs that use the same path; the system ends it when its holder dies. Locks are empty
/// files beside the file and stay there. Use a local file system: over a network locks may not work.
public final class FileSecretStore: SecretStore {
    private struct Contents: Codable {
        static let currentVersion = 1
        var version = currentVersion
        var secrets: [String: Data] = [:]
    }

    /// Turns within this process, so that at most one task a key asks for the lock between processes.
    private static let turns = KeyedTurns()
    /// How long the replacing of a file by somebody else is waited for.
    private static let writeLimit = Duration.seconds(10)

    private let file: SecretFile
    /// Waits for a lock; on the clock that the store was made with.
    private let acquire: @Sendable (FileLock) async throws -> FileDescriptor

    /// A store in the file at `path`, made at the first write, with its folder (mode 0700) if that is missing.
    /// - Parameters:
    ///   - lockTimeout: for how long exclusive access is waited for before it fails: two minutes. Longer than a renewal may take.
    public convenience init(path: String, lockTimeout: Duration = .seconds(120)) {
        self.init(path: path, lockTimeout: lockTimeout, clock: ContinuousClock())
    }

    init(path: String, lockTimeout: Duration, clock: some Clock<Duration>) {
        file = SecretFile(path: path)
        acquire = { try await $0.acquire(within: lockTimeout, on: clock) }
    }

    /// Where the secrets are.
    public var path: String { file.path }

    /// Reads the file and returns what is kept under the key.
    /// - Throws: ``SecretStoreError``, as for each method.
    public func secret(for key: String) throws(SecretStoreError) -> Data? { try contents()?.secrets[key] }

    /// Replaces the file by one that keeps the secret, too.
    public func setSecret(_ secret: Data, for key: String) throws(SecretStoreError) {
        try file.prepareFolder()
        try change { $0.secrets[key] = secret }
    }

    /// Replaces the file by one without the secret.
    public func removeSecret(for key: String) throws(SecretStoreError) {
        guard try contents()?.secrets[key] != nil else { return }
        try change { $0.secrets[key] = nil }
    }

    /// Removes the file, after looking at it as before each use.
    public func removeAllSecrets() throws(SecretStoreError) {
        guard try file.bytes() != nil else { return }
        let lock = try writeLock()
        defer { withExtendedLifetime(lock) {} }
        try file.remove()
    }

    /// Waits for the key's turn in this process, then for the lock between processes.
    /// - Throws: ``SecretStoreError``, also if another program has it for longer than the limit; `CancellationError`.
    public func exclusiveAccess(to key: String) async throws -> ExclusiveAccess {
        try file.prepareFolder()
        let lock = FileLock(path: try lockPath(for: key))
        let turn = try await Self.turns.turn(for: lock.path)
        let held = try await acquire(lock)
        let descriptor = Locked<FileDescriptor?>(held)
        return ExclusiveAccess {
            // The lock first, so that who has the next turn here finds it free.
            let held = descriptor.withLock { held in
                defer { held = nil }
                return held
            }
            withExtendedLifetime(held) {}
            turn.end()
        }
    }

    // MARK: The file

    private func contents() throws(SecretStoreError) -> Contents? {
        guard let data = try file.bytes() else { return nil }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.version == Contents.currentVersion else {
            throw .malformedFile(path)
        }
        return contents
    }

    private func change(_ edit: (inout Contents) -> Void) throws(SecretStoreError) {
        let lock = try writeLock()
        defer { withExtendedLifetime(lock) {} }
        var contents = try contents() ?? Contents()
        edit(&contents)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(contents) else { throw .malformedFile(path) }
        try file.replace(with: data)
    }

    private func writeLock() throws(SecretStoreError) -> FileDescriptor {
        try FileLock(path: path + ".lock").acquire(within: Self.writeLimit)
    }

    /// A key may hold what a file's name cannot.
    private func lockPath(for key: String) throws -> String {
        "\(path).\(try Hexadecimal.string(HashFunction.sha256.hash(Array(key.utf8))).prefix(16)).lock"
    }
}

extension FileSecretStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the file is.
    public var description: String { "FileSecretStore(\(path))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}

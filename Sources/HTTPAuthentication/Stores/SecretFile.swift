// SPDX-License-Identifier: MIT

import Foundation

/// A file that only its owner may read: looked at before each use, and replaced as a whole.
struct SecretFile: Sendable {
    /// More than a file of tokens ever has; what is larger is something else.
    static let sizeLimit = 16 << 20

    let path: String
    let folder: String

    init(path: String) {
        self.path = path
        let folder = (path as NSString).deletingLastPathComponent
        self.folder = folder.isEmpty ? "." : folder
    }

    // MARK: Reading

    /// The bytes; `nil` if there is no file.
    func bytes() throws(SecretStoreError) -> Data? {
        guard let file = try FileDescriptor.opened(path, O_RDONLY, action: "open") else { return nil }
        let status = try file.checkIsOwn(path)
        if status.st_mode & 0o077 != 0 { throw .accessibleToOthers(path, mode: UInt32(status.st_mode & 0o777)) }
        guard status.st_size <= Self.sizeLimit else { throw .fileTooLarge(path, limit: Self.sizeLimit) }
        try checkFolder()
        // Its size cannot change: who writes makes another file.
        var data = Data(count: Int(status.st_size))
        let size = data.count
        var position = 0
        while position < size {
            let count = data.withUnsafeMutableBytes { buffer in
                read(file.number, buffer.baseAddress.map { $0 + position }, size - position)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("read", path, errno: errno) }
            if count == 0 { break }
            position += count
        }
        return data.prefix(position)
    }

    // MARK: Writing

    /// Makes the folder, for the owner alone, if there is none, and checks that nobody else can put files in the place of this one.
    func prepareFolder() throws(SecretStoreError) {
        var status = stat()
        if stat(folder, &status) != 0, errno == ENOENT {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                let number = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code ?? Int(EACCES)
                throw .system("make the folder", folder, errno: Int32(truncatingIfNeeded: number))
            }
        }
        try checkFolder()
    }

    private func checkFolder() throws(SecretStoreError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .system("look at", folder, errno: errno) }
        // In a folder like /tmp, where the sticky bit is set, nobody else can rename or remove what is ours.
        let isShared = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
        if isShared || status.st_uid != geteuid() && status.st_uid != 0 { throw .folderWritableByOthers(folder) }
    }

    /// Replaces the file, so that whoever reads has the old bytes or the new ones, also after the machine has lost power.
    ///
    /// The caller holds the lock: the new file has one name, which a writer that died may have left behind.
    func replace(with data: Data) throws(SecretStoreError) {
        guard data.count <= Self.sizeLimit else { throw .fileTooLarge(path, limit: Self.sizeLimit) }
        let new = path + ".new"
        if unlink(new) != 0, errno != ENOENT { throw .system("remove", new, errno: errno) }
        guard let file = try FileDescriptor.opened(new, O_WRONLY | O_CREAT | O_EXCL, action: "make") else { return }
        do throws(SecretStoreError) {
            // The process's umask may have taken bits of the owner's away; it can give none to others.
            guard fchmod(file.number, 0o600) == 0 else { throw .system("protect", new, errno: errno) }
            try Self.writeAll(data, to: file, new)
            guard fsync(file.number) == 0 else { throw .system("write", new, errno: errno) }
            guard rename(new, path) == 0 else { throw .system("replace", path, errno: errno) }
        } catch {
            unlink(new)
            throw error
        }
        try syncFolder()
    }

    /// Removes the file; it is no error if there is none.
    func remove() throws(SecretStoreError) {
        if unlink(path) != 0, errno != ENOENT { throw .system("remove", path, errno: errno) }
        try syncFolder()
    }

    private static func writeAll(_ data: Data, to file: FileDescriptor, _ path: String) throws(SecretStoreError) {
        var position = 0
        while position < data.count {
            let count = data.withUnsafeBytes { buffer in
                write(file.number, buffer.baseAddress.map { $0 + position }, data.count - position)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("write", path, errno: errno) }
            position += count
        }
    }

    private func syncFolder() throws(SecretStoreError) {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .system("open", folder, errno: errno) }
        defer { close(number) }
        // Some file systems cannot sync a folder, and say so.
        if fsync(number) != 0, errno != EINVAL { throw .system("write", folder, errno: errno) }
    }
}

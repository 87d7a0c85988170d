// SPDX-License-Identifier: MIT

import Foundation

/// An open file, closed with the last reference to it.
final class FileDescriptor: Sendable {
    let number: Int32

    private init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Opens without following a symbolic link and without waiting for a pipe's other end; children that are started do not get the file.
    /// - Returns: `nil` if nothing is there and nothing was to be made.
    static func opened(_ path: String, _ flags: Int32, action: SecretStoreError.StaticKind) throws(SecretStoreError) -> FileDescriptor? {
        while true {
            let number = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            if number >= 0 { return FileDescriptor(number) }
            switch errno {
            case EINTR: continue
            case ENOENT where flags & O_CREAT == 0: return nil
            case ELOOP: throw .notAFile(path, is: "a symbolic link")
            // What a pipe without readers, or a socket, answers.
            case ENXIO: throw .notAFile(path, is: "a pipe or a socket")
            case EISDIR: throw .notAFile(path, is: "a folder")
            case let number: throw .system(action, path, errno: number)
            }
        }
    }

    /// Checks that it is a regular file of this process's user.
    func checkIsOwn(_ path: String) throws(SecretStoreError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system("look at", path, errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .notAFile(path, is: "a folder")
        case S_IFIFO, S_IFSOCK: throw .notAFile(path, is: "a pipe or a socket")
        default: throw .notAFile(path, is: "a device")
        }
        if status.st_uid != geteuid() { throw .ownedByAnother(path) }
        return status
    }
}

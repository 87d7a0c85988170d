// SPDX-License-Identifier: MIT

import Foundation

/// A folder of this test's own, mode 0700, removed with this object.
final class SecretFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "openmoya-secrets-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    static func write(_ data: Data, to path: String, mode: mode_t) throws {
        try data.write(to: URL(fileURLWithPath: path))
        chmod(path, mode)
    }

    static func mode(of path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt32(status.st_mode & 0o777) : nil
    }
}

// SPDX-License-Identifier: MIT

#if SecretService && os(Linux)
import AuthenticationSuite
import Foundation
import HTTPAuthentication
import Testing

/// Against gnome-keyring, on a message bus of the test's own; `Scripts/test-secret-service` installs both.
@Suite(.timeLimit(.minutes(2)))
struct SecretServiceStoreTests {
    private static let bus = "/usr/bin/dbus-run-session"
    private static let isHere = [bus, "/usr/bin/gnome-keyring-daemon"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private let folder: SecretFolder

    init() throws { folder = try SecretFolder() }

    /// The tool's command behind it finds only what is in the folder.
    private func wrapper(_ bus: [String]) -> [String] {
        ["/usr/bin/env", "HOME=\(folder.path)", "XDG_DATA_HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)"] + bus
    }

    @Test(.enabled(if: isHere, "gnome-keyring or dbus-run-session is missing"))
    func `the keyring keeps, replaces and drops secrets`() async throws {
        let unlocked = "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec \"$0\" \"$@\""
        let tool = try StoreToolProcess(through: wrapper([Self.bus, "--", "/bin/sh", "-c", unlocked]), "keyring", "org.openmoya.test")

        #expect(await tool.ending() == .init(output: "done\n", isKilled: false, status: 0))
    }

    @Test(.enabled(if: isHere, "gnome-keyring or dbus-run-session is missing"))
    func `what one program has stored another finds`() async throws {
        let twice = """
            printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null && "$0" keyring-put "$2" && exec "$0" "$@"
            """
        let tool = try StoreToolProcess(through: wrapper([Self.bus, "--", "/bin/sh", "-c", twice]), "keyring-get", "org.openmoya.test")

        #expect(await tool.ending() == .init(output: "kept\nfound\n", isKilled: false, status: 0))
    }

    @Test(.enabled(if: isHere, "gnome-keyring or dbus-run-session is missing"))
    func `a keyring that nobody unlocks is an error that says so`() async throws {
        let unlocked = "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec \"$0\" \"$@\""
        let first = try StoreToolProcess(through: wrapper([Self.bus, "--", "/bin/sh", "-c", unlocked]), "keyring-put", "org.openmoya.test")
        #expect(await first.ending().output == "kept\n")

        // Another log-in to the same keyring, without its password.
        let second = try StoreToolProcess(through: wrapper([Self.bus, "--"]), "keyring-put", "org.openmoya.test")
        let ending = await second.ending()

        #expect(ending.status == 1)
        #expect(ending.output.contains("The keyring is locked."))
    }

    @Test func `without a service the error says what to do`() async throws {
        let tool = try StoreToolProcess(
            through: wrapper(["DBUS_SESSION_BUS_ADDRESS=unix:path=\(folder.path)/nowhere"]), "keyring", "org.openmoya.test")

        let ending = await tool.ending()

        #expect(ending.status == 1)
        #expect(ending.output.contains("The desktop's Secret Service did not answer"))
        #expect(ending.output.contains("use a file store"))
    }
}
#endif

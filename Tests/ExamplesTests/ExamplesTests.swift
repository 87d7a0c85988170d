// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPTesting
import Testing

/// The programs in Examples/ that talk to real servers, run as a person runs them; each checks by itself what it shows.
@Suite(.timeLimit(.minutes(1)))
struct ExamplesTests {
    private static let areServersExpected = [StartedServer.apache, .http, .oauth].allSatisfy(\.isExpected)

    @Test(.enabled(if: areServersExpected, "needs Apache, nginx and the authorization server: run Scripts/test"))
    func `the authentication guide's samples all get what they must`() async throws {
        let ending = try await ExampleProgram.run("AuthenticationGuide")

        #expect(ending.status == 0, "\(ending.errors)")
        #expect(
            ending.titles == [
                "Basic HTTP auth", "Access token auth", "OAuth 2.0", "Session refresh",
                "Every step got what it must. The code is in Examples/AuthenticationGuide.",
            ])
        #expect(ending.steps == 16)
    }

    @Test(.enabled(if: areServersExpected, "needs Apache and nginx: run Scripts/test"))
    func `the usage section of SAP's observer gets what it must, with nobody at a terminal`() async throws {
        let ending = try await ExampleProgram.run("SAPLogin")

        #expect(ending.status == 0, "\(ending.errors)")
        #expect(
            ending.titles == ["Basic authentication", "A second server", "Every step got what it must. The code is in Examples/SAPLogin."])
        #expect(ending.steps == 7)
    }

    @Test(arguments: ["AuthenticationGuide", "SAPLogin"])
    func `without the servers a program says how to have them`(name: String) async throws {
        let ending = try await ExampleProgram.run(name, servers: "")

        #expect(ending.status == 69)
        #expect(ending.errors.contains("Scripts/examples"))
        #expect(ending.output.isEmpty)
    }

    @Test(arguments: ["AuthenticationGuide", "SAPLogin"])
    func `a step that does not get what it must ends the program with status 1`(name: String) async throws {
        let server = try TestServer { _ in .ok("hello") }
        defer { server.close() }
        let url = server.baseURL.absoluteString

        let ending = try await ExampleProgram.run(
            name, servers: "APACHE_URL=\(url)\nHTTP_URL=\(url)\nOAUTH_URL=\(url)\n")

        #expect(ending.status == 1)
        #expect(ending.errors.contains("expected"))
    }
}

/// A program that the package builds beside the tests.
private enum ExampleProgram {
    struct Ending {
        let status: Int32
        let output: String
        let errors: String

        private var lines: [Substring] { output.split(separator: "\n") }
        /// The headings, without the addresses in them.
        var titles: [String] { lines.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != "," }) } }
        var steps: Int { lines.count { $0.hasPrefix("  ✓ ") } }
    }

    /// Where the tests themselves were built to.
    private static var programs: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        if let bundle { return bundle.bundleURL.deletingLastPathComponent() }
        return (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }

    /// Runs it without a terminal, and waits for its end.
    /// - Parameter servers: what the file of servers says; by default that of this run.
    static func run(_ name: String, servers: String? = nil) async throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ExamplesTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = ProcessInfo.processInfo.environment
        if let servers {
            let file = folder.appendingPathComponent("servers")
            try Data(servers.utf8).write(to: file)
            environment["OPENMOYA_TEST_SERVERS"] = file.path
        }
        // Files, not pipes: nobody has to read them while the program runs.
        let (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = programs.appendingPathComponent(name)
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let ended = EventRecorder<Int32>()
        process.terminationHandler = { ended.record($0.terminationStatus) }
        try process.run()
        do {
            _ = try await ended.wait(for: 1)
        } catch {
            // The test's time is over.
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
        return Ending(
            status: ended.events[0], output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }
}
#endif

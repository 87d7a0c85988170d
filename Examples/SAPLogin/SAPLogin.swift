// SPDX-License-Identifier: MIT

import ExampleTerminal
import Foundation
import HTTPTesting
import SAPFoundation

/// The usage section of SAP's reference of `BasicAuthenticationObserver` as a program, run against real servers:
///
///     Scripts/examples SAPLogin           a program types in what a person would
///     Scripts/examples SAPLogin --ask     you type it in, on the terminal
///
/// Every step checks what it shows, and a step that does not get what it must ends the program with status 1.
@main
struct SAPLogin {
    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard words.isEmpty || words == ["--ask"] else {
            Terminal.fail("usage: SAPLogin [--ask]")
            exit(64)  // EX_USAGE
        }
        let servers: [URL]
        do {
            servers = [try StartedServer.apache.url, try StartedServer.http.url]
        } catch {
            Terminal.fail("needs the test servers, which are not there; Scripts/examples starts them and runs this. (\(error))")
            exit(69)  // EX_UNAVAILABLE
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("SAPLogin-\(UUID().uuidString)")
        do {
            let steps = Steps(
                servers.map { $0.appendingPathComponent("basic/message.json") }, secrets: folder.appendingPathComponent("secrets.json"))
            try await words.isEmpty ? steps.run() : steps.ask()
            Terminal.title("Every step got what it must. The code is in Examples/SAPLogin.")
            try? FileManager.default.removeItem(at: folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            Terminal.fail("\(error)")
            exit(1)
        }
    }
}

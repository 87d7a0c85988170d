// SPDX-License-Identifier: MIT

import ExampleTerminal
import Foundation
import HTTPTesting

/// Shows the main job on a terminal: a small API server runs inside this program, and every step checks what it shows.
///
///     openmoya-demo                      all steps, against the server of its own
///     openmoya-demo --base-url URL       plain requests against a server of yours
@main
struct Demo {
    static func main() async {
        do {
            switch try Arguments(CommandLine.arguments.dropFirst()) {
            case .help: print(Arguments.usage)
            case .ownServer: try await showEverything()
            case .otherServer(let url): try await showPlainRequests(to: url)
            }
        } catch {
            Terminal.fail("\(error)")
            exit(1)
        }
    }

    private static func showEverything() async throws {
        let api = LoopbackAPI()
        let server = try TestServer.api(api)
        defer { server.close() }
        Terminal.title("OpenMoya, against its own API server at \(server.baseURL.absoluteString)")
        try await TypedRequests(server.baseURL).run()
        try await CredentialSteps(server.baseURL, api: api).run()
        try await TransferSteps(server.baseURL).run()
        try await OfflineSteps(server.baseURL, server: server).run()
        Terminal.title("Every step did what it says. The code is in Examples/Demo.")
    }
}

/// What the command line asks for.
enum Arguments {
    case help
    case ownServer
    case otherServer(URL)

    static let usage = "usage: openmoya-demo [--base-url URL]"

    init(_ words: ArraySlice<String>) throws {
        switch words.first {
        case nil: self = .ownServer
        case "--help", "-h": self = .help
        case "--base-url":
            guard words.count == 2, let text = words.last, let url = URL(string: text), url.scheme != nil else {
                throw StepFailure("--base-url wants one URL, such as http://localhost:8080")
            }
            self = .otherServer(url)
        case let word?: throw StepFailure("unknown argument \(word); \(Self.usage)")
        }
    }
}

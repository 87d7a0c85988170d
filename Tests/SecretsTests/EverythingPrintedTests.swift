// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// A known password and a known token, driven through everything that can be printed.
@Suite(.timeLimit(.minutes(2)))
struct EverythingPrintedTests {
    #if Curl && os(Linux)
    // Over URLSession a dump of a session goes through all of Foundation's insides, which takes minutes.
    @Test func `no error, log, cURL string, description, mirror or dump shows a password or a token`() async throws {
        let looker = Looker()

        try lookAtMessages(looker)
        try await lookAtStores(looker)
        try await lookAtSessions(looker)
        try await lookAtClients(looker)
        try await lookAtProviders(looker)
        try await lookAtObservers(looker)

        for finding in looker.findings { Issue.record("\(finding)") }
        #expect(looker.types.count > 50, "only \(looker.types.sorted())")
    }
    #endif

    @Test func `the looker finds what does show`() {
        struct Open { let field: String }
        let looker = Looker()
        looker.look(at: Open(field: "Basic " + Data("alice:\(Looker.password)".utf8).base64EncodedString()), "Basic")
        looker.look(at: [["deep": Open(field: Looker.token)]], "nested")
        looker.look(at: NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: Looker.token]), "an error")

        #expect(Set(looker.findings.map(\.subject)) == ["Basic", "nested", "an error"])
        #expect(looker.findings.contains { $0.way == "mirror" && $0.form == "the token" })
    }

    /// Types with a stored secret have a mirror of their own, or `dump` shows it.
    @Test func `each file that stores a secret by name says how it is mirrored`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let property = try Regex(
            #"(?m)^ +(public |package |private |fileprivate )*(let|var) \w*([pP]assword|[tT]oken|[sS]ecret|[pP]assphrase|[vV]erifier)(?!68|_endpoint|Endpoint|_type|Type)\w*: (String|Data|\[UInt8\])\??$"#
        )
        var holders: [String] = []
        for module in ["HTTPMessages", "HTTPAuthentication", "HTTPSessions", "Moya", "SAPFoundation"] {
            let folder = root.appendingPathComponent("Sources/\(module)")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let source = try String(contentsOf: file, encoding: .utf8)
                guard source.contains(property), source.contains(try Regex(#"(?m)^ *(public|open|package) [^\n]*(struct|class|enum)"#))
                else { continue }
                holders.append(file.lastPathComponent)
                #expect(source.contains("customMirror"), "\(file.lastPathComponent) stores a secret and has no mirror of its own")
            }
        }
        #expect(holders.contains("UserCredential.swift") && holders.contains("OAuth2Token.swift"), "only \(holders)")
    }
}

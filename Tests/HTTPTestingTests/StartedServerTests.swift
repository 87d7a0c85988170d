// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StartedServerTests {
    @Test(
        arguments: StartedServer.allCases.filter(\.isExpected))
    func `each server has written down a loopback address`(server: StartedServer) throws {
        let url = try server.url

        #expect(["127.0.0.1", "localhost", "::1"].contains(url.host))
        #expect(url.port != nil)
    }

    @Test func `asking for an unknown value says which and what to do`() throws {
        let error = try #require(throws: StartedServer.Missing.self) { try StartedServer.value("NO_SUCH_NAME") }

        #expect(error.description.contains("NO_SUCH_NAME"))
        #expect(error.description.contains("Scripts/test"))
    }

    @Test(.enabled(if: StartedServer.http.isExpected, "needs nginx: run Scripts/test"))
    func `the files that are told of exist`() throws {
        for name in [
            "CA_FILE", "OTHER_CA_FILE", "SERVER_CERTIFICATE_FILE", "CLIENT_CERTIFICATE_FILE", "CLIENT_KEY_FILE", "CLIENT_PKCS12_FILE",
        ] {
            let file = try StartedServer.file(name)

            #expect(FileManager.default.isReadableFile(atPath: file.path), "\(name)")
        }
    }
}

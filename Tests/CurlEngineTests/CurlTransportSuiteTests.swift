// SPDX-License-Identifier: MIT

#if Curl && os(Linux)

import CurlEngine
import HTTPMessages
import Testing
import TransportSuite

@Suite(.timeLimit(.minutes(1))) struct CurlTransportSuiteTests {
    private static let any: any HTTPTransport = CurlTransport(configuration: TransportConfiguration())

    @Test(arguments: TransportScenario.applicable(to: any))
    func `a transport over libcurl does what every transport does`(scenario: TransportScenario) async throws {
        try await scenario.run { CurlTransport(configuration: $0) }
    }
}

#endif

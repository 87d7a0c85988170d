// SPDX-License-Identifier: MIT

#if Curl && os(Linux)

import CurlEngine
import HTTPMessages
import Testing
import TransportSuite

@Suite(.timeLimit(.minutes(1))) struct CurlTransportSuiteTests {
    @Test(arguments: TransportScenario.all)
    func `a transport over libcurl does what every transport does`(scenario: TransportScenario) async throws {
        try await scenario.run { CurlTransport(configuration: $0) }
    }
}

#endif

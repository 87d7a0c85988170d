// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing
import TransportSuite
import URLSessionEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct URLSessionTransportSuiteTests {
    @Test(arguments: TransportScenario.all)
    func `a transport over URLSession does what every transport does`(scenario: TransportScenario) async throws {
        try await scenario.run { URLSessionTransport(configuration: .ephemeral, transport: $0) }
    }
}

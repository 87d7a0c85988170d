// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// One behaviour that every transport has to have, tested against a server on loopback; the same for all engines.
package struct TransportScenario: Sendable, CustomTestStringConvertible {
    package typealias Body = @Sendable (TransportFixture) async throws -> Void

    /// The behaviour, as a sentence.
    package let testDescription: String
    /// What a transport must be able to do for the behaviour to be expected of it.
    package let needs: TransportCapabilities
    private let configuration: TransportConfiguration
    private let body: Body

    package init(
        _ sentence: String, needs: TransportCapabilities = [], configuration: TransportConfiguration = TransportConfiguration(),
        _ body: @escaping Body
    ) {
        testDescription = sentence
        self.needs = needs
        self.configuration = configuration
        self.body = body
    }

    /// All of them.
    package static let all: [TransportScenario] =
        requests + bodies + responses + dispositions + brokenResponses + cancelling + timeLimits + steering + refusals + lettingGo

    /// Runs it on a transport and a server of its own, and checks that both are idle afterwards; skips it on a transport that cannot do
    /// what it needs.
    package func run(_ makeTransport: @Sendable (TransportConfiguration) -> any HTTPTransport) async throws {
        let transport = makeTransport(configuration)
        let missing = needs.subtracting(transport.capabilities)
        guard missing.isEmpty else { try Test.cancel("the transport cannot do what this needs: \(missing.names)") }
        let fixture = try TransportFixture(transport)
        try await body(fixture)
        fixture.transport.shutDown(cancellingTransfers: true)
        #expect(fixture.server.unusedResponseCount == 0, "every scripted response was asked for")
        fixture.server.close()
        #expect(fixture.server.protocolViolations.isEmpty)
    }
}

/// A transport and the server that it talks to.
package struct TransportFixture: Sendable {
    package let transport: any HTTPTransport
    package let server: TestServer

    init(_ transport: any HTTPTransport) throws {
        self.transport = transport
        server = try TestServer(
            TestServer.Configuration {
                $0.sendBufferSize = 262_144
                $0.receiveBufferSize = 262_144
            })
    }

    /// Starts a transfer to the server.
    package func start(
        _ method: String = "GET", _ target: String = "/", fields: HTTPFields = HTTPFields(), body: HTTPBody? = nil,
        options: TransferOptions = TransferOptions(), recorder: TransferRecorder = TransferRecorder()
    ) -> Exchange {
        start(HTTPRequest(method: method, url: server.url(target), fields: fields, body: body), options: options, recorder: recorder)
    }

    /// Starts a transfer to anywhere.
    package func start(
        _ request: HTTPRequest, options: TransferOptions = TransferOptions(), recorder: TransferRecorder = TransferRecorder()
    ) -> Exchange {
        Exchange(control: transport.start(request, options: options, receiver: recorder), recorder: recorder)
    }
}

/// A transfer under way.
package struct Exchange: Sendable {
    package let control: any TransferControl
    package let recorder: TransferRecorder

    /// Its end.
    package func outcome() async -> TransferOutcome { await recorder.outcome() }

    /// The content of a transfer that must end well.
    package func content(sourceLocation: SourceLocation = #_sourceLocation) async -> String {
        let outcome = await outcome()
        #expect(outcome.error == nil, sourceLocation: sourceLocation)
        return String(decoding: outcome.content, as: UTF8.self)
    }

    /// What kind of error a transfer that must fail ends with.
    package func failure(sourceLocation: SourceLocation = #_sourceLocation) async -> HTTPError.Kind? {
        let error = await outcome().error
        #expect(error != nil, "the transfer must fail", sourceLocation: sourceLocation)
        return error?.kind
    }
}

extension TransportCapabilities {
    /// The names of those that scenarios need.
    fileprivate var names: String {
        let all: [(TransportCapabilities, String)] = [
            (.unfollowedResponses, "unfollowedResponses"), (.backPressure, "backPressure"), (.streamedBodies, "streamedBodies"),
            (.metrics, "metrics"), (.interimHeads, "interimHeads"), (.trailers, "trailers"), (.strictFraming, "strictFraming"),
            (.arbitraryRequests, "arbitraryRequests"), (.connectTimeout, "connectTimeout"), (.suspension, "suspension"),
        ]
        return all.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

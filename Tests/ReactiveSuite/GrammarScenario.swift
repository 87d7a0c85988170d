// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya
import Testing

/// A statement that holds for a request over every reactive surface.
package struct GrammarScenario: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    private let body: @Sendable (GrammarFixture) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (GrammarFixture) async throws -> Void) {
        testDescription = name
        self.body = body
    }

    /// Runs the scenario against a server of its own.
    package func run(on surface: any ReactiveSurface.Type) async throws {
        let fixture = GrammarFixture(surface, try TestServer())
        try await body(fixture)
        fixture.server.close()
    }
}

/// A server, a provider for it, a surface, and what a subscription saw.
struct GrammarFixture: Sendable {
    let surface: any ReactiveSurface.Type
    let server: TestServer
    let sent = SentRequests()
    let provider: MoyaProvider<Page>
    let recorder = EventRecorder<StreamEvent>()
    let queue = DispatchQueue(label: "callbacks")

    init(_ surface: any ReactiveSurface.Type, _ server: TestServer) {
        self.surface = surface
        self.server = server
        provider = MoyaProvider<Page>(plugins: [sent])
    }

    var page: Page { Page(server.baseURL) }

    func subscribe(to page: Page? = nil) -> SurfaceSubscription {
        surface.request(provider, page ?? self.page, queue: queue, recorder.record)
    }

    func subscribeWithProgress() -> SurfaceSubscription {
        surface.requestWithProgress(provider, page, queue: queue, recorder.record)
    }

    /// Returns when everything that was put on the callback queue before has run.
    func drainQueue() async {
        await callbackValue { callback in
            queue.async { callback(()) }
        }
    }

    func end() async throws -> [StreamEvent] {
        try await recorder.wait { $0.contains(where: \.isEnd) }
    }
}

/// Counts what plugins see: requests on their way, and their outcomes.
final class SentRequests: PluginType, Sendable {
    enum Step: Hashable, Sendable { case sent, received }
    let steps = EventRecorder<Step>()

    func willSend(_ request: any RequestType, target: any TargetType) { steps.record(.sent) }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) { steps.record(.received) }

    var count: Int { steps.events.count { $0 == .sent } }
}

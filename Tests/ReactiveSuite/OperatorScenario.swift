// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya
import Testing

/// A statement that holds for the operators on responses over every reactive surface.
package struct OperatorScenario: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    private let body: @Sendable (OperatorFixture) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (OperatorFixture) async throws -> Void) {
        testDescription = name
        self.body = body
    }

    /// Every scenario, for `@Test(arguments:)`.
    package static let all: [OperatorScenario] = filters + mappings + decoding

    /// Runs the scenario against a server of its own.
    package func run(on surface: any OperatorSurface.Type) async throws {
        let server = try TestServer()
        try await body(OperatorFixture(surface: surface, server: server))
        server.close()
    }
}

/// What became of a response, in words that can be compared.
struct Outcome: Hashable, Sendable {
    var values: [String] = []
    var failure: FailureDescription?
    var isCompleted = false

    static func value(_ description: String) -> Outcome {
        Outcome(values: [description], isCompleted: true)
    }
}

/// A server that answers as a scenario says, and a surface.
struct OperatorFixture: Sendable {
    let surface: any OperatorSurface.Type
    let server: TestServer
    private let queue = DispatchQueue(label: "callbacks")

    init(surface: any OperatorSurface.Type, server: TestServer) {
        self.surface = surface
        self.server = server
    }

    /// What an operator makes of a response of the server.
    func outcome<Value>(
        of status: Int = 200, _ content: Data, describing describe: @escaping @Sendable (Value) -> String,
        _ subscribe: (OperatorSource, @escaping OperatorObserver<Value>) -> SurfaceSubscription
    ) async throws -> Outcome {
        server.enqueue(ScriptedResponse(status, content: .bytes(content)))
        return try await outcome(from: MoyaProvider<Page>(), describing: describe, subscribe)
    }

    /// What an operator makes of the status code of a stub, since a server can send none below 100.
    func outcome(
        ofStub status: Int, _ subscribe: (OperatorSource, @escaping OperatorObserver<Response>) -> SurfaceSubscription
    ) async throws -> Outcome {
        let provider = MoyaProvider<Page>(
            endpointClosure: { page in
                Endpoint(
                    url: URL(target: page).absoluteString, sampleResponseClosure: { .networkResponse(status, Data()) },
                    method: page.method, task: page.task, httpHeaderFields: nil)
            }, stubClosure: MoyaProvider.immediatelyStub)
        return try await outcome(from: provider, describing: { "\($0.statusCode)" }, subscribe)
    }

    private func outcome<Value>(
        from provider: MoyaProvider<Page>, describing describe: @escaping @Sendable (Value) -> String,
        _ subscribe: (OperatorSource, @escaping OperatorObserver<Value>) -> SurfaceSubscription
    ) async throws -> Outcome {
        let recorder = EventRecorder<OperatorEvent<String>>()
        let source = OperatorSource(provider: provider, page: Page(server.baseURL), queue: queue)
        let subscription = subscribe(source) { event in
            switch event {
            case .value(let value): recorder.record(.value(describe(value)))
            case .failed(let error): recorder.record(.failed(error))
            case .completed: recorder.record(.completed)
            }
        }
        let events = try await recorder.wait { events in events.contains(where: \.isEnd) }
        withExtendedLifetime((provider, subscription)) {}
        return events.reduce(into: Outcome()) { outcome, event in
            #expect(outcome.failure == nil && !outcome.isCompleted, "an event after the end")
            switch event {
            case .value(let description): outcome.values.append(description)
            case .failed(let error): outcome.failure = FailureDescription(error)
            case .completed: outcome.isCompleted = true
            }
        }
    }
}

extension OperatorEvent {
    fileprivate var isEnd: Bool {
        if case .value = self { return false }
        return true
    }
}

extension Outcome {
    /// Checks that it is one value and the completion.
    func expectValue(_ description: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self == .value(description), sourceLocation: sourceLocation)
    }

    /// Checks that it is nothing but a failure with the response that caused it.
    func expectFailure(
        _ code: MoyaErrorCode, status: Int = 200, data: Data, hasUnderlyingError: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(values.isEmpty && !isCompleted, sourceLocation: sourceLocation)
        #expect(failure?.isMoyaError == true, sourceLocation: sourceLocation)
        #expect(failure?.domain == MoyaErrorDomain, sourceLocation: sourceLocation)
        #expect(failure?.code == code.rawValue, sourceLocation: sourceLocation)
        #expect(failure?.message?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(failure?.responseStatus == status, sourceLocation: sourceLocation)
        #expect(failure?.data == data, sourceLocation: sourceLocation)
        #expect(failure?.hasUnderlyingError == hasUnderlyingError, sourceLocation: sourceLocation)
    }
}

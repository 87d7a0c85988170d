// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya
import Testing

/// What a request fails with, as a `MoyaError` and as an `NSError`.
extension GrammarScenario {
    static let failures: [GrammarScenario] = [
        GrammarScenario("a refused status code is a failure with that code, the response and its data") { fixture in
            fixture.server.enqueue(.status(404, "gone"))
            let subscription = fixture.subscribe(to: Page(fixture.server.baseURL, validationType: .successCodes))
            let failure = try await fixture.failure()
            #expect(failure.isMoyaError)
            #expect(failure.domain == MoyaErrorDomain)
            #expect(failure.code == 404)
            #expect(failure.responseStatus == 404)
            #expect(failure.data == Data("gone".utf8))
            #expect(failure.hasUnderlyingError)
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("a connection that is lost is a failure without a response, with the code of its case") { fixture in
            fixture.server.enqueue(.close, .close, .close)
            let subscription = fixture.subscribe()
            let failure = try await fixture.failure()
            fixture.expect(failure, .underlying, hasUnderlyingError: true)
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("a filter's refusal is a failure with the response, its data and no other error") { fixture in
            fixture.server.enqueue(.status(503, "later"))
            let subscription = fixture.surface.filteredRequest(
                fixture.provider, fixture.page, queue: fixture.queue, fixture.recorder.record)
            let failure = try await fixture.failure()
            fixture.expect(failure, .statusCode, status: 503, data: Data("later".utf8))
            withExtendedLifetime(subscription) {}
        },
        GrammarScenario("an endpoint whose URL is none is a failure, and nothing is sent") { fixture in
            let failure = try await fixture.failure(ofEndpoint: { Endpoint(unusable: "http://[", $0, .requestPlain) })
            fixture.expect(failure, .requestMapping)
        },
        GrammarScenario("parameters that cannot be encoded are a failure, and nothing is sent") { fixture in
            let failure = try await fixture.failure(ofEndpoint: { page in
                let parameters: [String: Any] = ["key": Unencodable()]
                return Endpoint(
                    unusable: nil, page, .requestParameters(parameters: parameters, encoding: JSONEncoding.default))
            })
            fixture.expect(failure, .parameterEncoding, hasUnderlyingError: true)
        },
        GrammarScenario("a value that cannot be encoded is a failure, and nothing is sent") { fixture in
            let failure = try await fixture.failure(ofEndpoint: { Endpoint(unusable: nil, $0, .requestJSONEncodable(Unencodable())) })
            fixture.expect(failure, .encodableMapping, hasUnderlyingError: true)
        },
    ]
}

extension GrammarFixture {
    /// The failure of the subscription, which must be all that it saw.
    func failure() async throws -> FailureDescription {
        let events = try await end()
        await drainQueue()
        #expect(recorder.events.count == 1)
        guard case .failed(let failure)? = events.first else {
            struct NoFailure: Error { let events: [StreamEvent] }
            throw NoFailure(events: events)
        }
        return failure
    }

    /// The failure of a request that cannot be made.
    fileprivate func failure(ofEndpoint endpoint: @escaping @Sendable (Page) -> Endpoint) async throws -> FailureDescription {
        let provider = MoyaProvider<Page>(endpointClosure: endpoint)
        let subscription = surface.request(provider, page, queue: queue, recorder.record)
        let failure = try await failure()
        #expect(server.requests.isEmpty)
        withExtendedLifetime((provider, subscription)) {}
        return failure
    }

    fileprivate func expect(
        _ failure: FailureDescription, _ code: MoyaErrorCode, status: Int? = nil, data: Data? = nil, hasUnderlyingError: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(failure.isMoyaError, sourceLocation: sourceLocation)
        #expect(failure.domain == MoyaErrorDomain, sourceLocation: sourceLocation)
        #expect(failure.code == code.rawValue, sourceLocation: sourceLocation)
        #expect(failure.message?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(failure.responseStatus == status, sourceLocation: sourceLocation)
        #expect(failure.data == data, sourceLocation: sourceLocation)
        #expect(failure.hasUnderlyingError == hasUnderlyingError, sourceLocation: sourceLocation)
    }
}

extension Endpoint {
    fileprivate convenience init(unusable url: String?, _ page: Page, _ task: Moya.Task) {
        self.init(
            url: url ?? URL(target: page).absoluteString, sampleResponseClosure: { .networkResponse(200, Data()) }, method: .post,
            task: task, httpHeaderFields: nil)
    }
}

private struct Unencodable: Encodable {
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "cannot be encoded"))
    }
}

// SPDX-License-Identifier: MIT

import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubTests {
    private func makeProvider(
        _ journal: Journal = Journal(), sample: EndpointSampleResponse? = nil,
        stub: @escaping (AnyTarget) -> StubBehavior = MoyaProvider<AnyTarget>.immediatelyStub
    ) -> MoyaProvider<AnyTarget> {
        MoyaProvider(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: {
                        journal.note("sample")
                        return sample ?? .networkResponse(200, target.sampleData)
                    }, method: target.method, task: target.task, httpHeaderFields: target.headers)
            }, stubClosure: stub, plugins: [RecordingPlugin(name: "A", journal: journal), RecordingPlugin(name: "B", journal: journal)])
    }

    @Test func `an immediate stub has answered when the call returns, in the exact order`() {
        let journal = Journal()
        let provider = makeProvider(journal)

        journal.note("call")
        provider.request(AnyTarget(sampleData: Data("x".utf8)), progress: { journal.note("progress \($0.progress)") }) { result in
            journal.note("completion \(result.summary)")
        }
        journal.note("returned")

        #expect(
            journal.entries == [
                "call", "A prepare", "B prepare", "A willSend AB", "B willSend AB", "sample", "A didReceive 200 x", "B didReceive 200 x",
                "progress 1.0", "A process 200 x", "B process 200 xA", "completion 200 xAB", "returned",
            ])
    }

    @Test func `an immediate stub with a queue answers there`() async {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let provider = makeProvider()

        let isOnQueue = await callbackValue { callback in
            provider.request(AnyTarget(), callbackQueue: queue, progress: { _ in }) { _ in
                callback(DispatchQueue.getSpecific(key: key) == true)
            }
        }

        #expect(isOnQueue)
    }

    @Test func `a delayed stub answers after its delay, on the main queue`() async {
        let provider = makeProvider(stub: MoyaProvider<AnyTarget>.delayedStub(0.05))
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let start = ContinuousClock.now

        let isOnMain = await callbackValue { callback in
            provider.request(AnyTarget()) { _ in callback(DispatchQueue.getSpecific(key: key) == true) }
        }

        #expect(isOnMain)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test(arguments: [-1, 0, -Double.infinity, .nan])
    func `delays that are none are none`(seconds: TimeInterval) async throws {
        let response = try await makeProvider(stub: MoyaProvider<AnyTarget>.delayedStub(seconds)).request(AnyTarget())

        #expect(response.statusCode == 200)
    }

    @Test func `a sample's head is the response's`() throws {
        let head = try #require(HTTPURLResponse(url: URL(string: "https://h")!, statusCode: 201, httpVersion: nil, headerFields: nil))
        let outcome = Outcome()

        makeProvider(sample: .response(head, Data("x".utf8))).request(AnyTarget()) { outcome.take($0) }

        // The recording plugins build responses of their own around the same head.
        let response = try #require(try outcome.only?.get())
        #expect(response.response === head)
        #expect(response.statusCode == 201)
    }

    @Test func `a sample's error is the failure's`() throws {
        let error = NSError(domain: "d", code: 7)
        let outcome = Outcome()

        makeProvider(sample: .networkError(error)).request(AnyTarget()) { outcome.take($0) }

        guard case .failure(.underlying(let inner as NSError, nil))? = outcome.only else { return #expect(Bool(false), "\(outcome.all)") }
        #expect(inner === error)
    }

    @Test func `a response carries the prepared request`() throws {
        let outcome = Outcome()

        makeProvider().request(AnyTarget(headers: ["A": "1"])) { outcome.take($0) }

        let request = try #require(try outcome.only?.get().request)
        #expect(request.allHTTPHeaderFields == ["A": "1", "X-Plugins": "AB"])
    }

    @Test func `validation holds for stubs`() throws {
        let outcome = Outcome()

        makeProvider(sample: .networkResponse(404, Data("gone".utf8))).request(AnyTarget(validationType: .successCodes)) {
            outcome.take($0)
        }

        guard case .failure(.underlying(MoyaError.statusCode(let inner), let response?))? = outcome.only else {
            return #expect(Bool(false), "\(outcome.all)")
        }
        #expect(inner === response)
        #expect(response.data == Data("gone".utf8))
    }

    @Test func `a request that cannot be made is seen by the plugins as well`() {
        let journal = Journal()
        let outcome = Outcome()
        let provider = MoyaProvider<Zoo>(
            endpointClosure: { _ in
                Endpoint(
                    url: "some invalid URL", sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get, task: .requestPlain,
                    httpHeaderFields: nil)
            }, stubClosure: MoyaProvider.immediatelyStub, plugins: [RecordingPlugin(name: "A", journal: journal)])

        provider.request(.zen) { outcome.take($0) }

        #expect(outcome.only?.summary == "requestMapping")
        #expect(journal.entries == ["A didReceive requestMapping", "A process requestMapping"])
    }

    @Test func `every error of a request closure arrives as it is`() async {
        let task = Task.requestJSONEncodable(["x": Double.nan])

        let error = await #expect(throws: MoyaError.self) { try await makeProvider().request(AnyTarget(method: .post, task: task)) }

        #expect(error?.code == .encodableMapping)
    }

    @Test func `a second answer of the request closure is ignored`() {
        let outcome = Outcome()
        let provider = MoyaProvider<Zoo>(
            requestClosure: { _, done in
                done(.failure(.requestMapping("first")))
                done(.failure(.requestMapping("second")))
            }, stubClosure: MoyaProvider.immediatelyStub)

        provider.request(.zen) { outcome.take($0) }

        #expect(outcome.all.count == 1)
    }

    @Test(arguments: [false, true])
    func `a request closure that never answers is an error`(tracks: Bool) async {
        let provider = MoyaProvider<Zoo>(
            requestClosure: { _, _ in }, stubClosure: MoyaProvider.immediatelyStub, trackInflights: tracks)

        for _ in 0..<2 {
            let error = await #expect(throws: MoyaError.self) { try await provider.request(.zen) }

            #expect(error?.underlyingError as? MoyaMisuse == .requestClosureNeverAnswered)
        }
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test func `a stub asked for with never fails`() async {
        let provider = makeProvider()
        let endpoint = provider.endpoint(AnyTarget())

        let result = await callbackValue { callback in
            provider.stubRequest(
                AnyTarget(), request: URLRequest(url: URL(string: "https://h")!), callbackQueue: nil,
                completion: { callback($0) }, endpoint: endpoint, stubBehavior: .never)
        }

        #expect(result.summary.hasPrefix("underlying: MoyaMisuse"))
    }

    // MARK: Overriding

    private final class Sample: MoyaProvider<AnyTarget>, @unchecked Sendable {  // adds no state
        override func stubRequest(
            _ target: AnyTarget, request: URLRequest, callbackQueue: DispatchQueue?, completion: @escaping Moya.Completion,
            endpoint: Endpoint,
            stubBehavior: Moya.StubBehavior
        ) -> CancellableToken {
            let token = CancellableToken {}
            let prepared = notifyPluginsOfImpendingStub(for: request, target: target)
            let stub = createStubFunction(
                token, forTarget: target, withCompletion: completion, endpoint: endpoint, plugins: plugins, request: prepared)
            stub()
            return token
        }
    }

    @Test func `an override that follows the recipe behaves like the original`() {
        let journal = Journal()
        let provider = Sample(stubClosure: { _ in .immediate }, plugins: [RecordingPlugin(name: "A", journal: journal)])
        let outcome = Outcome()

        provider.request(AnyTarget(sampleData: Data("x".utf8))) { outcome.take($0) }

        #expect(journal.entries == ["A prepare", "A willSend A", "A didReceive 200 x", "A process 200 x"])
        #expect(outcome.only?.summary == "200 xA")
    }

    private final class Chatty: MoyaProvider<AnyTarget>, @unchecked Sendable {  // adds no state
        override func stubRequest(
            _ target: AnyTarget, request: URLRequest, callbackQueue: DispatchQueue?, completion: @escaping Moya.Completion,
            endpoint: Endpoint,
            stubBehavior: Moya.StubBehavior
        ) -> CancellableToken {
            for code in [200, 201] { completion(.success(Response(statusCode: code, data: Data()))) }
            return CancellableToken {}
        }
    }

    @Test func `an override that completes twice is heard once`() async throws {
        let outcome = Outcome()
        let provider = Chatty(stubClosure: { _ in .immediate })

        provider.request(AnyTarget()) { outcome.take($0) }

        #expect(outcome.only?.summary == "200 ")
        #expect(try await provider.request(AnyTarget()).statusCode == 200)
    }

    @Test func `plugins may make requests of their own`() async throws {
        final class Nested: PluginType, Sendable {
            let inner = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub)
            let outcome = Outcome()
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                inner.request(.zen) { self.outcome.take($0) }
                return request
            }
        }
        let plugin = Nested()
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub, plugins: [plugin])

        _ = try await provider.request(.zen)

        #expect(plugin.outcome.all.count == 1)
    }
}

// SPDX-License-Identifier: MIT

import Moya
import ReactiveMoya
import Testing

enum GitHub: TargetType {
    case zen
    case userProfile(String)

    var baseURL: URL { URL(string: "https://api.github.invalid") ?? URL(fileURLWithPath: "/") }
    var path: String {
        switch self {
        case .zen: "/zen"
        case .userProfile(let name): "/users/\(name)"
        }
    }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
    var sampleData: Data {
        switch self {
        case .zen: Data("Half measures are as bad as nothing at all.".utf8)
        case .userProfile(let name): Data(#"{"login": "\#(name)", "id": 100}"#.utf8)
        }
    }
}

/// The code of the guide, word for word; the compiler is its test.
// swift-format-ignore
private func guide() {
let provider = MoyaProvider<GitHub>()

provider.reactive.request(.zen).start { event in
    switch event {
    case let .value(response):
        // do something with the data
        _ = response
    case let .failed(error):
        // handle the error
        _ = error
    default:
        break
    }
}

provider.reactive.requestWithProgress(.zen).start { event in
    switch event {
    case .value(let progressResponse):
        if let response = progressResponse.response {
            // do something with response
            _ = response
        } else {
            print("Progress: \(progressResponse.progress)")
        }
    case .failed(let error):
        // handle the error
        _ = error
    default:
        break
    }
}
}

@Suite struct GuideTests {
    private let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
    private let houston = NSError(
        domain: "com.moya.moyaerror", code: 0, userInfo: [NSLocalizedDescriptionKey: "Houston, we have a problem"])

    private var failing: MoyaProvider<GitHub> {
        let error = houston
        return MoyaProvider<GitHub>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString, sampleResponseClosure: { .networkError(error) }, method: target.method,
                    task: target.task, httpHeaderFields: target.headers)
            }, stubClosure: MoyaProvider.immediatelyStub)
    }

    @Test func `a provider has reactive extensions without any setup`() {
        let provider = MoyaProvider<GitHub>()

        #expect(provider.reactive.base === provider)
    }

    @Test func `a start of a stubbed request sends the response and completes before it returns`() throws {
        let events = Recorded<Signal<Response, MoyaError>.Event>()

        stubbed.reactive.request(.zen).start { events.add($0) }

        #expect(events.all.count == 2)
        let response = try #require(events.all.first?.value)
        #expect(response.data == GitHub.zen.sampleData)
        #expect(response.statusCode == 200)
        #expect(events.all.last?.isCompleted == true)
    }

    @Test func `a request that fails sends the failure and nothing else`() throws {
        let events = Recorded<Signal<Response, MoyaError>.Event>()

        let provider = failing
        provider.reactive.request(.zen).start { events.add($0) }

        #expect(events.all.count == 1)
        guard case .underlying(let error, nil)? = events.all.first?.error else {
            Issue.record("\(events.all)")
            return
        }
        #expect(error as NSError == houston)
        #expect(error.localizedDescription == "Houston, we have a problem")
    }

    @Test func `a start with progress of a stubbed request sends one value with the response and completes`() throws {
        let events = Recorded<Signal<ProgressResponse, MoyaError>.Event>()

        stubbed.reactive.requestWithProgress(.zen).start { events.add($0) }

        #expect(events.all.count == 2)
        let progress = try #require(events.all.first?.value)
        #expect(progress.response?.data == GitHub.zen.sampleData)
        #expect(progress.progress == 1)
        #expect(events.all.last?.isCompleted == true)
    }

    @Test func `a producer that nobody starts sends nothing, and one that is started twice sends twice`() {
        let sent = Recorded<String>()
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, plugins: [Counting(sent)])
        let producer = provider.reactive.request(.zen)
        #expect(sent.all.isEmpty)
        #expect(provider.inflightRequests.isEmpty)

        producer.start()
        producer.start()

        #expect(sent.all.count == 2)
    }

    @Test func `a response has a status code, data and the response of the URL loading system`() {
        let types = Recorded<String>()

        stubbed.reactive.request(.zen).startWithResult { result in
            guard case .success(let response) = result else { return }
            let code: Int = response.statusCode
            let data: Data = response.data
            let answer: HTTPURLResponse? = response.response
            types.add("\(code) \(data.count) \(answer == nil)")
        }

        #expect(types.all == ["200 \(GitHub.zen.sampleData.count) true"])
    }

    @available(*, deprecated)
    private func startNext(_ received: Recorded<Int>) {
        let failing = failing
        stubbed.reactive.request(.zen).startWithNext { (response: Response) in received.add(response.statusCode) }
        failing.reactive.request(.zen).startWithNext { (response: Response) in received.add(response.statusCode) }
    }

    @available(*, deprecated)
    @Test func `startWithNext sees values only`() {
        let received = Recorded<Int>()

        startNext(received)

        #expect(received.all == [200])
    }

    @Test func `a mapped producer gives results`() {
        let results = Recorded<Result<Int, MoyaError>>()

        stubbed.reactive.request(.zen).map { $0.statusCode }.startWithResult { results.add($0) }

        #expect(results.all.map { try? $0.get() } == [200])
    }

    @Test func `tracked requests share one response, and are counted while their values arrive`() {
        let seen = Recorded<(response: Response, count: Int)>()
        // The first request is held until the second has joined it.
        let held = Recorded<() -> Void>()
        let provider = MoyaProvider<GitHub>(
            requestClosure: { endpoint, proceed in
                held.add { proceed(Result { try endpoint.urlRequest() }.mapError { .underlying($0, nil) }) }
            },
            stubClosure: MoyaProvider.immediatelyStub, trackInflights: true)
        let (first, second) = (provider.reactive.request(.zen), provider.reactive.request(.zen))
        #expect(provider.inflightRequests.count == 0)

        let record: @Sendable (Result<Response, MoyaError>) -> Void = { result in
            if case .success(let response) = result { seen.add((response, provider.inflightRequests.count)) }
        }
        first.startWithResult(record)
        second.startWithResult(record)
        #expect(provider.inflightRequests.count == 1)
        for proceed in held.removeAll() { proceed() }

        #expect(seen.all.count == 2)
        #expect(seen.all[0].response === seen.all[1].response)
        #expect(seen.all.map(\.count) == [1, 1])
        #expect(provider.inflightRequests.count == 0)
    }
}

/// What callbacks from any thread have added.
final class Recorded<Element>: @unchecked Sendable {  // the elements are touched only under the lock
    private let lock = NSLock()
    private var elements: [Element] = []

    func add(_ element: Element) { lock.withLock { elements.append(element) } }

    var all: [Element] { lock.withLock { elements } }

    func removeAll() -> [Element] {
        lock.withLock {
            let all = elements
            elements = []
            return all
        }
    }
}

struct Counting: PluginType {
    let sent: Recorded<String>
    init(_ sent: Recorded<String>) { self.sent = sent }
    func willSend(_ request: any RequestType, target: any TargetType) { sent.add(request.request?.url?.absoluteString ?? "") }
}

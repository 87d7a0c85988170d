// SPDX-License-Identifier: MIT

#if canImport(Combine) || OpenCombine
import CombineMoya
import Foundation
import ReactiveSuite
import Testing

#if canImport(Combine)
import Combine
#else
@preconcurrency import OpenCombine
#endif

@Suite(.timeLimit(.minutes(1)))
struct DemandTests {
    private let page = Page(URL(fileURLWithPath: "/"))

    @Test func `nothing is sent before the first demand, and later ones send nothing`() {
        let provider = HeldProvider()
        let subscriber = ManualSubscriber<Response>()

        provider.requestPublisher(page).subscribe(subscriber)
        #expect(provider.held.count == 0)
        subscriber.subscription?.request(.max(1))
        subscriber.subscription?.request(.max(3))
        subscriber.subscription?.request(.unlimited)

        #expect(provider.held.count == 1)
    }

    @Test func `cancelled before a demand, it never sends`() {
        let provider = HeldProvider()
        let subscriber = ManualSubscriber<Response>()
        provider.requestPublisher(page).subscribe(subscriber)

        subscriber.subscription?.cancel()
        subscriber.subscription?.request(.unlimited)

        #expect(provider.held.count == 0)
        #expect(subscriber.events.isEmpty)
    }

    @Test func `cancelling cancels the request once, and nothing is published any more`() {
        let provider = HeldProvider()
        let subscriber = ManualSubscriber<Response>()
        provider.requestPublisher(page).subscribe(subscriber)
        subscriber.subscription?.request(.unlimited)

        subscriber.subscription?.cancel()
        subscriber.subscription?.cancel()
        provider.complete(.success(Response(statusCode: 200, data: Data())))

        #expect(provider.cancelCount == 1)
        #expect(subscriber.events.isEmpty)
    }

    @Test func `cancelled while its request is being made, it cancels that request once it is there`() {
        let provider = HeldProvider()
        let subscriber = ManualSubscriber<Response>()
        provider.requestPublisher(page).subscribe(subscriber)
        provider.whileRequesting = { subscriber.subscription?.cancel() }

        subscriber.subscription?.request(.unlimited)
        provider.complete(.success(Response(statusCode: 200, data: Data())))

        #expect(provider.cancelCount == 1)
        #expect(subscriber.events.isEmpty)
    }

    @Test func `values beyond the demand are kept in order, and the completion follows the last`() {
        let provider = HeldProvider()
        let subscriber = ManualSubscriber<ProgressResponse>()
        provider.requestWithProgressPublisher(page).subscribe(subscriber)
        subscriber.subscription?.request(.max(1))

        for count in 1...3 {
            let progress = Progress(totalUnitCount: 4)
            progress.completedUnitCount = Int64(count)
            provider.report(ProgressResponse(progress: progress))
        }
        provider.complete(.success(Response(statusCode: 200, data: Data())))
        #expect(subscriber.events == ["value"])
        subscriber.subscription?.request(.max(2))
        #expect(subscriber.events == ["value", "value", "value"])
        subscriber.subscription?.request(.max(1))

        #expect(subscriber.events == ["value", "value", "value", "value", "finished"])
        #expect(subscriber.values.map(\.progress) == [0.25, 0.5, 0.75, 1])
        #expect(provider.cancelCount == 0)
    }

    @Test func `a failure follows the values that are kept`() {
        let provider = HeldProvider()
        let subscriber = ManualSubscriber<ProgressResponse>()
        provider.requestWithProgressPublisher(page).subscribe(subscriber)
        subscriber.subscription?.request(.max(1))

        provider.report(ProgressResponse())
        provider.report(ProgressResponse())
        provider.complete(.failure(.requestMapping("no URL")))
        #expect(subscriber.events == ["value"])
        subscriber.subscription?.request(.max(1))

        #expect(subscriber.events == ["value", "value", "failed"])
    }

    @Test func `after the end the subscription holds its subscriber no more`() {
        let provider = HeldProvider()
        weak var released: ManualSubscriber<Response>?
        var kept: (any Subscription)?
        do {
            let subscriber = ManualSubscriber<Response>()
            released = subscriber
            provider.requestPublisher(page).subscribe(subscriber)
            kept = subscriber.subscription
            kept?.request(.unlimited)
            provider.complete(.success(Response(statusCode: 200, data: Data())))
            #expect(subscriber.events == ["value", "finished"])
        }

        withExtendedLifetime(kept) { #expect(released == nil) }
    }

    @Test func `operators publish what they make, and the error of the first that they cannot`() {
        let provider = MoyaProvider<Page>(stubClosure: MoyaProvider.immediatelyStub)
        var texts: [String] = []
        var failures: [Int] = []
        let first = provider.requestPublisher(page).filterSuccessfulStatusCodes().mapString()
            .sink(receiveCompletion: { _ in }, receiveValue: { texts.append($0) })
        let second = provider.requestPublisher(page).mapJSON()
            .sink(
                receiveCompletion: { completion in
                    if case .failure(let error) = completion { failures.append(error.errorCode) }
                }, receiveValue: { _ in })
        let third = provider.requestWithProgressPublisher(page).filterCompleted().filter(statusCode: 200).mapString()
            .sink(receiveCompletion: { _ in }, receiveValue: { texts.append($0) })

        #expect(texts == ["sample", "sample"])
        #expect(failures == [MoyaErrorCode.jsonMapping.rawValue])
        withExtendedLifetime((first, second, third)) {}
    }
}

/// Demands what the test tells it to.
final class ManualSubscriber<Input>: Subscriber {
    typealias Failure = MoyaError
    private(set) var subscription: (any Subscription)?
    private(set) var events: [String] = []
    private(set) var values: [Input] = []

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        events.append("value")
        values.append(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<MoyaError>) {
        switch completion {
        case .finished: events.append("finished")
        case .failure: events.append("failed")
        }
    }
}

/// A provider whose requests end when the test says so. For one thread.
final class HeldProvider: MoyaProvider<Page>, @unchecked Sendable {  // used by one thread
    var held: [(progress: ProgressBlock?, completion: Completion)] = []
    var cancelCount = 0
    var whileRequesting = {}

    override func request(
        _ target: Page, callbackQueue: DispatchQueue?, progress: ProgressBlock?, completion: @escaping Completion
    ) -> any Moya.Cancellable {
        held.append((progress, completion))
        whileRequesting()
        return CancellableToken { [self] in cancelCount += 1 }
    }

    func complete(_ result: Result<Response, MoyaError>) {
        for request in held { request.completion(result) }
    }

    func report(_ step: ProgressResponse) {
        for request in held { request.progress?(step) }
    }
}
#endif

// SPDX-License-Identifier: MIT

import Foundation
import Moya

/// What a subscription saw, in the words of no library in particular.
package enum StreamEvent: Hashable, Sendable {
    case response(status: Int, text: String)
    /// A step on the way, with the share that is done.
    case progress(Double)
    case completed
    /// With what the error says as an `NSError`.
    case failed(FailureDescription)
    /// Only where a library has such an event.
    case interrupted

    package var isEnd: Bool {
        switch self {
        case .response, .progress: false
        case .completed, .failed, .interrupted: true
        }
    }

    /// Whether it tells of a transfer that has brought some of its data, but not all.
    package var isUnderWay: Bool {
        if case .progress(let share) = self { return share > 0 && share < 1 }
        return false
    }

    package init(_ response: Response) {
        self = .response(status: response.statusCode, text: String(decoding: response.data, as: UTF8.self))
    }

    package init(_ step: ProgressResponse) {
        if let response = step.response {
            self.init(response)
        } else {
            self = .progress(step.progress)
        }
    }

    package static func failure(_ error: any Error) -> StreamEvent {
        .failed(FailureDescription(error))
    }

    /// The failure's code as an `NSError`; nil for other events.
    package var failureCode: Int? {
        if case .failed(let failure) = self { return failure.code }
        return nil
    }
}

/// A reactive interface of a provider, as the common scenarios use it.
package protocol ReactiveSurface: Sendable {
    /// Whether disposing of a subscription is seen by its observer.
    static var reportsDisposal: Bool { get }

    /// Whether dropping what a subscription returned disposes of it.
    static var endsWhenDropped: Bool { get }

    /// Subscribes to a request. Calling the result disposes of the subscription.
    static func request(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription

    /// Subscribes to a request with its progress.
    static func requestWithProgress(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription

    /// Subscribes to one request and passes its response through an operator that fails it, if its status code is not 200 to 299.
    static func filteredRequest(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> SurfaceSubscription

    /// Subscribes to a request for its response itself.
    static func response(
        _ provider: MoyaProvider<Page>, _ page: Page, queue: DispatchQueue?, _ record: @escaping @Sendable (Response) -> Void
    ) -> SurfaceSubscription

    /// Makes a request without subscribing to it; calling the result does. Only what the surface makes may retain the provider.
    static func deferred(
        _ provider: MoyaProvider<Page>, _ page: Page, _ record: @escaping @Sendable (StreamEvent) -> Void
    ) -> () -> SurfaceSubscription
}

/// What a subscription is disposed of with.
package struct SurfaceSubscription: @unchecked Sendable {  // the libraries' disposables may be used from any thread
    private let action: () -> Void
    package init(dispose: @escaping () -> Void) { action = dispose }
    package func dispose() { action() }
}

/// A page of a test server, or one that a stub answers.
package struct Page: TargetType, Sendable {
    package var baseURL: URL
    package var path: String
    package var validationType: ValidationType
    package var sampleData: Data { Data("sample".utf8) }
    package var method: Moya.Method { .get }
    package var task: Moya.Task { .requestPlain }
    package var headers: [String: String]? { nil }

    package init(_ baseURL: URL, _ path: String = "page", validationType: ValidationType = .none) {
        self.baseURL = baseURL
        self.path = path
        self.validationType = validationType
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A target made concrete: what its request is, and what a stub answers.
///
/// Instances do not change; ``adding(newHTTPHeaderFields:)`` and ``replacing(task:)`` make new ones. Two endpoints are equal if their
/// requests are: URL, method, fields, content, and the file or form that is uploaded; closures and sample responses do not count.
open class Endpoint {
    /// Makes a stub's answer. Called once for each stubbed request, when the stub answers.
    public typealias SampleResponseClosure = () -> EndpointSampleResponse

    /// The URL as text; checked when the request is made.
    public let url: String

    /// Makes a stub's answer.
    public let sampleResponseClosure: SampleResponseClosure

    /// The method of the request.
    public let method: Moya.Method

    /// What the request carries.
    public let task: Task

    /// The fields of the request, besides those that the task and the session add.
    public let httpHeaderFields: [String: String]?

    // Made on first use, so that an endpoint that stands as a key keeps its hash even if what it refers to changes.
    private let madeIdentity = AtomicLazyReference<EndpointIdentity>()

    /// An endpoint of these parts.
    public init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: Moya.Method,
        task: Task,
        httpHeaderFields: [String: String]?
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
    }

    /// The endpoint with these fields added; each replaces the fields whose names differ from its own in case only.
    open func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: Self.merged(httpHeaderFields, with: newHTTPHeaderFields))
    }

    /// The endpoint with another task.
    open func replacing(task: Task) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task, httpHeaderFields: httpHeaderFields)
    }

    /// What equality and hash go by.
    var identity: EndpointIdentity {
        madeIdentity.load() ?? madeIdentity.storeIfNil(EndpointIdentity(of: self))
    }

    private static func merged(_ fields: [String: String]?, with newFields: [String: String]) -> [String: String]? {
        guard !newFields.isEmpty else { return fields }
        let newNames = Set(newFields.keys.map { $0.lowercased() })
        let kept = (fields ?? [:]).filter { !newNames.contains($0.key.lowercased()) }
        return kept.merging(newFields) { _, new in new }
    }
}

extension Endpoint: Equatable, Hashable {
    /// Whether the requests of both are the same. The order of keys in a JSON body that a task encodes does not count.
    public static func == (lhs: Endpoint, rhs: Endpoint) -> Bool {
        lhs === rhs || lhs.identity == rhs.identity
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        identity.hash(into: &hasher)
    }
}

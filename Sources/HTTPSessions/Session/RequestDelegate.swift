// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a request asks of its session.
public protocol RequestDelegate: AnyObject, Sendable {
    /// The configuration that the session was made with.
    var sessionConfiguration: URLSessionConfiguration { get }
    /// Whether the first response handler resumes a request.
    var startImmediately: Bool { get }
}

extension Session: RequestDelegate {
    /// The same as ``startRequestsImmediately``.
    public var startImmediately: Bool { startRequestsImmediately }
}

// SPDX-License-Identifier: MIT

import Foundation

/// One request of an API, described: usually a case of an enum that lists the API's requests.
///
/// A target need not be `Sendable`: a provider reads it where the request is made and hands it to plugins, one at a time.
public protocol TargetType {
    /// What ``path`` is appended to. A query in it stays behind the path.
    var baseURL: URL { get }

    /// Appended to ``baseURL`` as path components and percent-encoded whole: `?` and `#` are data here and never begin a query or a
    /// fragment, and what is percent-encoded already is encoded again. The empty path leaves ``baseURL`` as it is.
    var path: String { get }

    /// The method of the request.
    var method: Moya.Method { get }

    /// The content that a stub answers with. Empty by default.
    var sampleData: Data { get }

    /// What the request carries, and whether it is a plain request, an upload or a download.
    var task: Task { get }

    /// Which status codes are successes. Every one by default (``ValidationType/none``).
    var validationType: ValidationType { get }

    /// Fields that the request carries besides those of the session; these win over the session's.
    var headers: [String: String]? { get }
}

extension TargetType {
    /// No content.
    public var sampleData: Data { Data() }

    /// Every status code is a success.
    public var validationType: ValidationType { .none }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Session {
    /// A session that shares neither cookies nor credentials with other tests.
    static func alone(
        startRequestsImmediately: Bool = true, requestSetup: RequestSetup = .lazy, interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil, eventMonitors: [any EventMonitor] = [],
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> Session {
        let configuration = URLSessionConfiguration.af.ephemeral
        configure(configuration)
        return Session(
            configuration: configuration, startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup,
            interceptor: interceptor, redirectHandler: redirectHandler, eventMonitors: eventMonitors)
    }

    /// The response to a request by a session that lives only for it.
    nonisolated(nonsending) static func response(
        from url: URL, method: HTTPMethod = .get, form parameters: [String: String]? = nil, headers: HTTPHeaders? = nil,
        redirectHandler: (any RedirectHandler)? = nil
    ) async -> AFDataResponse<String> {
        let session = alone(redirectHandler: redirectHandler)
        let response = await session.request(url, method: method, parameters: parameters, encoding: URLEncoding.httpBody, headers: headers)
            .serializingString(emptyResponseCodes: Set(200..<600)).response
        return withExtendedLifetime(session) { response }
    }

    /// What the engine under the sessions of these tests can do.
    static let capabilities = DefaultTransport.make().capabilities
}

/// A folder that is removed with this object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ text: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

/// Holds an object weakly, for a test that it was let go of.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {  // a weak reference is loaded and stored atomically
    private(set) weak var object: Object?
    init(_ object: Object) { self.object = object }
}

/// Returns when `condition` holds, giving way to other tasks in between: for what happens soon and is announced by nobody.
func eventually(_ condition: () -> Bool, within limit: Duration = .seconds(10)) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        if ContinuousClock.now > end { return false }
        await Task.yield()
    }
    return true
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A test in ``withTestSession(_:session:handler:isolation:_:)`` left something undone, or its client broke HTTP's grammar.
public struct TestSessionError: Error, CustomStringConvertible, Sendable {
    /// What is wrong, a sentence for each thing.
    public let description: String
}

/// Runs a test with a session and a server of its own, and checks afterwards that nothing is left of it.
///
/// ```swift
/// try await withTestSession { session, server in
///     server.enqueue(.serviceUnavailable, .ok("hello"))
///     …
/// }
/// ```
/// When the body has returned the session is let go and must close its connections; the server must have had no request against HTTP's
/// grammar, and the queue must be empty. The body must not keep the session.
///
/// The configuration is the server's. `session` makes the session; one with an ephemeral configuration, which shares no cookies with
/// others, unless told otherwise. `handler` answers what the queue does not; without one that is 404.
/// - Throws: what the body throws, unchecked then; otherwise ``TestSessionError`` or ``LeakError``.
public func withTestSession<Result: Sendable>(
    _ configuration: TestServer.Configuration = TestServer.Configuration(),
    session makeSession: (TestServer) throws -> Session = { _ in Session(configuration: .ephemeral) },
    handler: (@Sendable (RecordedRequest) -> ScriptedResponse)? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: (Session, TestServer) async throws -> Result
) async throws -> Result {
    let server = try TestServer(configuration, handler: handler)
    defer { server.close() }
    // A connection over a Unix-domain socket names no port at its other end: the server's own count stands in for it.
    let connections =
        server.port == 0
        ? LeakCounter("connections to the server") { server.openConnectionCount } : .connections(to: server)
    let result = try await withLeakCheck([connections]) {
        let session = try makeSession(server)
        return try await body(session, server)
    }

    var faults = server.protocolViolations.map { "The client broke HTTP's grammar: \($0)." }
    if server.unusedResponseCount > 0 { faults.append("\(server.unusedResponseCount) responses in the queue were not asked for.") }
    guard faults.isEmpty else { throw TestSessionError(description: faults.joined(separator: " ")) }
    return result
}

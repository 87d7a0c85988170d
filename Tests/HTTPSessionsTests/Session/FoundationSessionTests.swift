// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import HTTPTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sessions over a `URLSession` of the caller's.
@Suite(.timeLimit(.minutes(1)))
struct FoundationSessionTests {
    @Test func `requests go through the caller's session`() async throws {
        let server = try TestServer { _ in .ok("through") }
        let root = DispatchQueue(label: "root")
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = root
        let delegate = SessionDelegate()
        let foundation = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
        let session = Session(session: foundation, delegate: delegate, rootQueue: root)

        let text = try await session.request(server.url("/")).serializingString().value

        #expect(text == "through")
        #expect(session.session === foundation)
        foundation.invalidateAndCancel()
    }

    @Test func `a session with another delegate is refused with a reason`() async throws {
        let server = try TestServer { _ in .ok }
        let foundation = URLSession(configuration: .ephemeral)
        let session = Session(session: foundation, delegate: SessionDelegate(), rootQueue: DispatchQueue(label: "root"))

        let error = await session.request(server.url("/")).serializingData().response.error

        #expect(error?.localizedDescription.contains("delegate") == true)
        #expect(server.requestCount == 0)
        foundation.invalidateAndCancel()
    }

    @Test func `a subclass inherits every initialiser`() {
        final class Named: Session, @unchecked Sendable {}

        #expect(Named(startRequestsImmediately: false).startRequestsImmediately == false)
    }
}

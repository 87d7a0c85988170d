// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import SAPFoundation
import Testing

/// What only a session, an observer or a setting holds may use it when it is let go of: no lock is held at that moment.
@Suite(.timeLimit(.minutes(1)))
struct ReleaseTests {
    /// Owns its session, as a screen's model does that observes it.
    private final class OwningObserver: SAPURLSessionObserving {
        let session: SAPURLSession
        private let released: EventRecorder<Bool>

        init(_ session: SAPURLSession, _ released: EventRecorder<Bool>) {
            self.session = session
            self.released = released
        }

        deinit {
            session.invalidateAndCancel()
            released.record(session.delegate == nil)
        }
    }

    @Test func `an observer that owns its session invalidates it when it is let go of`() async throws {
        let released = EventRecorder<Bool>()
        do {
            let session = SAPURLSession(configuration: .ephemeral)
            session.register(OwningObserver(session, released))
            session.finishTasksAndInvalidate()
        }

        #expect(try await released.wait(for: 1) == [true])
    }

    @Test func `a handler that is replaced may use its owner`() {
        let released = EventRecorder<Bool>()
        let indicator = NetworkActivityIndicatorController()
        indicator.changeHandler = { [held = CallingOnRelease { released.record(indicator.isVisible) }] _ in withExtendedLifetime(held) {} }
        indicator.changeHandler = nil
        #expect(released.events == [false])
        let observer = BasicAuthenticationObserver(basicCredentialStore: InMemoryBasicCredentialStore())
        observer.storeErrorHandler = { [held = CallingOnRelease { observer.storeErrorHandler = nil }] _, _ in withExtendedLifetime(held) {}
        }
        observer.storeErrorHandler = { _, _ in }
        #expect(observer.storeErrorHandler == nil)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import SAPFoundation

/// A store that writes down what it is asked; errors can be had, too.
final class RecordingStore: BasicCredentialStoring, @unchecked Sendable {  // what changes is behind the lock
    struct Failure: Error {}

    enum Event: Equatable {
        case store(BasicCredential, URL)
        case read(URL)
        case delete(URL)
        case clear
    }

    private struct State {
        var credentials: [URL: BasicCredential] = [:]
        var events: [Event] = []
        var failsReading = false
        var failsDeleting = false
        var failsStoring = false
    }

    private let state = Locked(State())

    init(_ credentials: [URL: BasicCredential] = [:]) { state.withLock { $0.credentials = credentials } }

    static func failing(reading: Bool = false, deleting: Bool = false, storing: Bool = false) -> RecordingStore {
        let store = RecordingStore()
        store.state.withLock { state in
            state.failsReading = reading
            state.failsDeleting = deleting
            state.failsStoring = storing
        }
        return store
    }

    var events: [Event] { state.withLock { $0.events } }
    /// Without the reads.
    var changes: [Event] {
        events.filter { event in
            if case .read = event { false } else { true }
        }
    }
    var contents: [URL: BasicCredential] { state.withLock { $0.credentials } }

    func put(_ credential: BasicCredential, for url: URL) { state.withLock { $0.credentials[url] = credential } }

    func store(credential: BasicCredential, for url: URL) throws {
        try state.withLock { state in
            state.events.append(.store(credential, url))
            if state.failsStoring { throw Failure() }
            state.credentials[url] = credential
        }
    }

    func credential(for url: URL) throws -> BasicCredential? {
        try state.withLock { state in
            state.events.append(.read(url))
            if state.failsReading { throw Failure() }
            return state.credentials[url]
        }
    }

    func delete(for url: URL) throws {
        try state.withLock { state in
            state.events.append(.delete(url))
            if state.failsDeleting { throw Failure() }
            state.credentials[url] = nil
        }
    }

    func clear() { state.withLock { $0.events.append(.clear) } }
}

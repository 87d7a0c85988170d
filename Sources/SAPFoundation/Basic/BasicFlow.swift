// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What ``BasicAuthenticationObserver`` knows and does: all on a serial queue of its own, where the store is called, too.
final class BasicFlow: @unchecked Sendable {  // everything that changes is touched on `queue` only
    typealias Answer = @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void

    /// What is known of a running task.
    struct TaskRecord {
        /// What was sent, per space, the last one last; a resend begins a new list.
        var sent: [BasicSpace: [BasicCredential]] = [:]
        var discoveries: [BasicSpace: Int] = [:]
        /// When the request, or a credential, went out last.
        var lastSent = ContinuousClock.now
        /// Of `sent`, what no response has been seen for yet, with the generation in which it was sent.
        var undecided: [BasicSpace: (credential: BasicCredential, generation: Int)] = [:]
    }

    /// A new credential that no server has accepted yet.
    struct Provisional {
        let credential: BasicCredential
        let storeURL: URL
        /// Whether the store was asked to keep it, in vain.
        var storeFailed = false
    }

    /// A discovery under way.
    struct Flight {
        let number: Int
        let storeURL: URL
        var waiting: [(task: UUID, answer: Answer)] = []
    }

    struct Failure {
        let error: any Error
        let time: ContinuousClock.Instant
    }

    let queue = DispatchQueue(label: "openmoya.sap.basic")
    private let queueMark = DispatchSpecificKey<Bool>()
    let settings: Locked<BasicSettings>
    let store: any BasicCredentialStoring
    let discovery: any BasicCredentialDiscovery

    // On the queue only.
    var tasks: [UUID: TaskRecord] = [:]
    var provisional: [BasicSpace: Provisional] = [:]
    /// What the store would not delete.
    var undeletable: [BasicSpace: [BasicCredential]] = [:]
    var flights: [BasicSpace: Flight] = [:]
    private var flightCount = 0
    var failures: [BasicSpace: Failure] = [:]
    /// Where the store was read or written.
    var knownURLs: Set<URL> = []
    /// Raised by ``clear()``.
    var generation = 0

    init(store: any BasicCredentialStoring, discovery: any BasicCredentialDiscovery, settings: Locked<BasicSettings>) {
        self.store = store
        self.discovery = discovery
        self.settings = settings
        queue.setSpecific(key: queueMark, value: true)
    }

    // MARK: Events, from any thread

    func challenged(_ challenge: BasicChallenge, task: UUID, _ answer: @escaping Answer) {
        queue.async { [self] in
            if challenge.challenge.previousFailureCount > 0 { noteRefusal(challenge, task: task) }
            findCredential(for: challenge, task: task, answer)
        }
    }

    /// Also before a resend: what was sent so far was not refused for certain, so it may be sent again.
    func taskWillStart(_ task: UUID) {
        queue.async { [self] in
            tasks[task, default: TaskRecord()].sent = [:]
            tasks[task, default: TaskRecord()].undecided = [:]
        }
    }

    func taskWasSent(_ task: UUID) {
        let time = ContinuousClock.now
        queue.async { self.tasks[task, default: TaskRecord()].lastSent = time }
    }

    func responded(status: Int, url: URL?, task: UUID, _ done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            judge(status: status, origin: url.flatMap { Origin(url: $0) }, task: task)
            done()
        }
    }

    func taskEnded(_ task: UUID) {
        queue.async { [self] in
            tasks[task] = nil
            for space in flights.keys { flights[space]?.waiting.removeAll { $0.task == task } }
        }
    }

    func clear() {
        if DispatchQueue.getSpecific(key: queueMark) == true { return clearNow() }
        queue.sync { clearNow() }
    }

    private func clearNow() {
        generation += 1
        provisional = [:]
        undeletable = [:]
        failures = [:]
        let waiting = flights.values.flatMap(\.waiting)
        flights = [:]
        for (_, answer) in waiting { answer(.cancel(BasicCredentialDiscoveryError.cancelled)) }
        for url in knownURLs {
            do { try store.delete(for: url) } catch { report(error, url) }
        }
        knownURLs = []
        store.clear()
    }

    // MARK: On the queue

    /// The credential sent last was refused: it goes from memory and, if it is still the one that is kept, from the store. Another one
    /// there may just have been stored by another task.
    private func noteRefusal(_ challenge: BasicChallenge, task: UUID) {
        let space = challenge.space
        guard let refused = tasks[task]?.sent[space]?.last ?? challenge.proposed else { return }
        tasks[task]?.undecided[space] = nil
        if provisional[space]?.credential == refused { provisional[space] = nil }
        guard read(challenge.storeURL) == refused else { return }
        do {
            try store.delete(for: challenge.storeURL)
        } catch {
            report(error, challenge.storeURL)
            undeletable[space, default: []].append(refused)
        }
    }

    private func findCredential(for challenge: BasicChallenge, task: UUID, _ answer: @escaping Answer) {
        let space = challenge.space
        let sent = tasks[task]?.sent[space] ?? []
        if let candidate = provisional[space]?.credential ?? read(challenge.storeURL), candidate.isValid, !sent.contains(candidate),
            undeletable[space]?.contains(candidate) != true
        {
            return use(candidate, for: space, task: task, answer)
        }
        let record = tasks[task, default: TaskRecord()]
        guard record.discoveries[space, default: 0] < settings.withLock({ $0.maximumDiscoveryAttempts }) else {
            return answer(.performDefaultHandling)
        }
        if flights[space] == nil, let failure = failures[space], failure.time > record.lastSent {
            return answer(.cancel(failure.error))
        }
        tasks[task, default: TaskRecord()].discoveries[space, default: 0] += 1
        if flights[space] == nil {
            discover(for: challenge, with: (task, answer))
        } else {
            flights[space]?.waiting.append((task, answer))
        }
    }

    private func discover(for challenge: BasicChallenge, with first: (task: UUID, answer: Answer)) {
        let space = challenge.space
        flightCount += 1
        let number = flightCount
        flights[space] = Flight(number: number, storeURL: challenge.storeURL, waiting: [first])
        let once = AnswerOnce<Result<BasicCredential, any Error>>(hook: "provideBasicCredential") { [self] result in
            queue.async { [self] in
                // After `clear()` it is nobody's any more.
                guard let current = flights[space], current.number == number else { return }
                flights[space] = nil
                landed(current, in: space, with: result)
            }
        }
        discovery.provideBasicCredential(for: challenge.storeURL, challenge: challenge.challenge) { credential, error in
            if let error { return once.give(.failure(error)) }
            guard let credential else { return once.give(.failure(BasicCredentialDiscoveryError.inconsistentState)) }
            once.give(credential.isValid ? .success(credential) : .failure(BasicAuthenticationError.invalidCredential))
        }
    }

    private func landed(_ flight: Flight, in space: BasicSpace, with result: Result<BasicCredential, any Error>) {
        switch result {
        case .success(let credential):
            failures[space] = nil
            provisional[space] = Provisional(credential: credential, storeURL: flight.storeURL)
            for (task, answer) in flight.waiting {
                // A discovery that gives a refused password again must not lock the account.
                if tasks[task]?.sent[space]?.contains(credential) == true {
                    if provisional[space]?.credential == credential { provisional[space] = nil }
                    answer(.performDefaultHandling)
                } else {
                    use(credential, for: space, task: task, answer)
                }
            }
        case .failure(let error):
            failures[space] = Failure(error: error, time: ContinuousClock.now)
            for (_, answer) in flight.waiting { answer(.cancel(error)) }
        }
    }

    private func use(_ credential: BasicCredential, for space: BasicSpace, task: UUID, _ answer: Answer) {
        var record = tasks[task, default: TaskRecord()]
        record.sent[space, default: []].append(credential)
        record.undecided[space] = (credential, generation)
        record.lastSent = ContinuousClock.now
        tasks[task] = record
        // Without persistence, so that nothing goes on using it after `clear()`.
        answer(.use(URLCredential(user: credential.username, password: credential.password, persistence: .none)))
    }

    /// Any status but 401, 407 and 5xx from the space's origin means that its credential was accepted; for a proxy any but 407.
    private func judge(status: Int, origin: Origin?, task: UUID) {
        guard let undecided = tasks[task]?.undecided else { return }
        for (space, (credential, sentIn)) in undecided {
            let isAccepted = space.isProxy ? status != 407 : space.origin == origin && status != 401 && status != 407 && status < 500
            guard isAccepted else { continue }
            tasks[task]?.undecided[space] = nil
            guard sentIn == generation, let new = provisional[space], new.credential == credential, !new.storeFailed else { continue }
            knownURLs.insert(new.storeURL)
            do {
                try store.store(credential: credential, for: new.storeURL)
                provisional[space] = nil
            } catch {
                report(error, new.storeURL)
                provisional[space]?.storeFailed = true
            }
        }
    }

    /// What the store has; a failure counts as nothing.
    private func read(_ url: URL) -> BasicCredential? {
        knownURLs.insert(url)
        do {
            return try store.credential(for: url)
        } catch {
            report(error, url)
            return nil
        }
    }

    private func report(_ error: any Error, _ url: URL) {
        // The error's text is not this module's, so it is not logged.
        SAPDiagnostics.report(.error, "the credential store failed for \(url.host ?? "a URL without a host") (\(type(of: error)))")
        settings.withLock { $0.storeErrorHandler }?(error, url)
    }
}

// SPDX-License-Identifier: MIT

/// How many refreshes may begin within how much time.
struct RefreshLimit: Sendable {
    let interval: Duration
    let maximumAttempts: Int
}

/// What a refreshing interceptor knows, and what it decides; a value without IO, to which the time is told.
struct RefreshState<Credential: Sendable>: Sendable {
    typealias Waiter = @Sendable (Result<Credential, any Error>) -> Void

    /// What has to be done, outside the lock.
    enum Decision: Sendable {
        /// The waiter is called when the refresh under way has ended.
        case wait
        case call(Waiter, Result<Credential, any Error>)
        /// A refresh begins; the number goes to ``refreshEnded(_:_:)``.
        case refresh(Credential, number: Int)
    }

    private enum Refresh: Sendable {
        case idle
        /// `isProactive`: began because the credential was about to expire, so that fresh requests wait for it, too.
        case running(number: Int, isProactive: Bool)
        /// The last one failed, for the credential at hand.
        case failed(any Error)
    }

    private(set) var credential: Credential? {
        didSet { replaced.append(oldValue) }
    }
    /// Tells the credential at hand from earlier ones: whoever looks at it outside the lock says which one was looked at.
    private(set) var version = 0
    private let limit: RefreshLimit?
    private var refresh = Refresh.idle {
        didSet { if case .failed(let error) = oldValue { replaced.append(error) } }
    }
    /// Who waits for the refresh under way; beside the state, so that one more does not copy them all.
    private var waiters: [Waiter] = []
    /// Credentials and errors of the caller's that are of no use any more, until they are taken out to be let go of without the lock.
    private var replaced: [(any Sendable)?] = []
    private var count = 0
    private var beginnings: [ContinuousClock.Instant] = []

    init(credential: Credential?, limit: RefreshLimit?) {
        self.credential = credential
        self.limit = limit
    }

    mutating func takeReplaced() -> [(any Sendable)?] { replaced.takeAll() }

    mutating func set(_ credential: Credential?) {
        self.credential = credential
        version += 1
        if case .failed = refresh { refresh = .idle }
    }

    /// A request is about to be sent. A fresh request clears the memory of a failed refresh.
    /// - Parameters:
    ///   - requiresRefresh: what the credential of that version said. One that has come since is taken as it is.
    mutating func requestArrived(
        requiresRefresh: Bool, version: Int, now: ContinuousClock.Instant, waiter: @escaping Waiter
    ) -> Decision {
        guard let credential else { return .call(waiter, .failure(AuthenticationError.missingCredential)) }
        let requiresRefresh = requiresRefresh && version == self.version
        switch refresh {
        case .running(_, let isProactive) where isProactive || requiresRefresh:
            waiters.append(waiter)
            return .wait
        case .running:
            return .call(waiter, .success(credential))
        case .idle, .failed:
            refresh = .idle
            return requiresRefresh ? begin(with: credential, isProactive: true, now: now, waiter) : .call(waiter, .success(credential))
        }
    }

    /// The server refused a request that was signed with the credential of that version. If another has come since, that one is tried
    /// first.
    mutating func requestWasRefused(version: Int, now: ContinuousClock.Instant, waiter: @escaping Waiter) -> Decision {
        guard let credential else { return .call(waiter, .failure(AuthenticationError.missingCredential)) }
        guard version == self.version else { return .call(waiter, .success(credential)) }
        switch refresh {
        case .running:
            waiters.append(waiter)
            return .wait
        case .failed(let error):
            return .call(waiter, .failure(error))
        case .idle:
            return begin(with: credential, isProactive: false, now: now, waiter)
        }
    }

    private mutating func begin(
        with credential: Credential, isProactive: Bool, now: ContinuousClock.Instant, _ waiter: @escaping Waiter
    ) -> Decision {
        if let limit {
            beginnings.removeAll { now - $0 > limit.interval }
            guard beginnings.count < limit.maximumAttempts else {
                return .call(waiter, .failure(AuthenticationError.excessiveRefresh))
            }
            beginnings.append(now)
        }
        count += 1
        refresh = .running(number: count, isProactive: isProactive)
        waiters = [waiter]
        return .refresh(credential, number: count)
    }

    /// Returns who has waited, in the order in which they came; nobody for a refresh that has ended already.
    mutating func refreshEnded(_ number: Int, _ result: Result<Credential, any Error>) -> [Waiter] {
        guard case .running(number, _) = refresh else { return [] }
        switch result {
        case .success(let fresh):
            credential = fresh
            version += 1
            refresh = .idle
        case .failure(let error):
            refresh = .failed(error)
        }
        defer { waiters = [] }
        return waiters
    }
}

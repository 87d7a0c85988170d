// SPDX-License-Identifier: MIT

/// What servers and proxies have accepted, by origin and realm; a value without a lock.
struct AcceptedCredentials: Sendable {
    /// How a space is satisfied.
    enum Means: Sendable {
        case basic(fieldValue: String)
        case digest(DigestSession)
        case transport(AuthenticationScheme)
    }

    /// Which requests to an origin belong to a space.
    enum Scope: Sendable, Hashable {
        case everything
        /// Request targets that start with one of these.
        case prefixes([String])

        /// The length of the longest prefix that `target` starts with; nil if the scope does not hold it.
        func match(_ target: String) -> Int? {
            switch self {
            case .everything: return 0
            case .prefixes(let prefixes):
                return prefixes.filter { target.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
            }
        }

        func union(_ other: Scope) -> Scope {
            guard case .prefixes(let mine) = self, case .prefixes(let theirs) = other else { return .everything }
            // A prefix that a shorter one covers says nothing; the oldest go first when there are too many.
            var all = mine
            for prefix in theirs where !all.contains(where: { prefix.utf8.starts(with: $0.utf8) }) {
                all.removeAll { $0.utf8.starts(with: prefix.utf8) }
                all.append(prefix)
            }
            return .prefixes(Array(all.suffix(64)))
        }
    }

    struct Entry: Sendable {
        let space: ProtectionSpace
        let credential: UserCredential
        var means: Means
        var scope: Scope
        /// Whether requests that bring no credential of their own may use it.
        var isShared: Bool
        fileprivate(set) var lastUse: UInt64 = 0

        /// Whether the system's tickets were accepted, which are nobody's credential: ``credential`` is empty then.
        var isTickets: Bool {
            if case .transport(.negotiate) = means { credential == .tickets } else { false }
        }

        fileprivate func isFor(_ space: ProtectionSpace, _ credential: UserCredential) -> Bool {
            self.space == space && self.credential == credential
        }
    }

    /// Enough for a client's servers; servers that invent realms cannot fill memory.
    private let limit: Int
    private var entries: [Challenger: [Entry]] = [:]
    private var count = 0
    private var uses: UInt64 = 0

    init(limit: Int = 256) { self.limit = limit }

    var isEmpty: Bool { count == 0 }

    /// The most specific entry for `target`, and of several the one accepted last; with a `credential`, only that one's.
    mutating func entry(for challenger: Challenger, target: String, credential: UserCredential?) -> Entry? {
        guard let candidates = entries[challenger] else { return nil }
        var best: (index: Int, length: Int)?
        for (index, entry) in candidates.enumerated() {
            guard credential.map({ $0 == entry.credential }) ?? entry.isShared, let length = entry.scope.match(target) else { continue }
            if length >= best?.length ?? 0 { best = (index, length) }
        }
        guard let best else { return nil }
        uses += 1
        entries[challenger]?[best.index].lastUse = uses
        return candidates[best.index]
    }

    /// The credential accepted last in `space` that any request may use.
    func credential(in space: ProtectionSpace) -> UserCredential? {
        entries[space.challenger]?.last { $0.space == space && $0.isShared && !$0.isTickets }?.credential
    }

    /// Adds `entry`, or widens the one of the same space and credential; it becomes the one accepted last.
    mutating func remember(_ entry: Entry) {
        var entry = entry
        uses += 1
        entry.lastUse = uses
        var list = entries[entry.space.challenger] ?? []
        if let index = list.firstIndex(where: { $0.isFor(entry.space, entry.credential) }) {
            let old = list.remove(at: index)
            entry.isShared = entry.isShared || old.isShared
            entry.scope = entry.scope.union(old.scope)
        } else {
            count += 1
        }
        list.append(entry)
        entries[entry.space.challenger] = list
        if count > limit { evictLeastRecentlyUsed() }
    }

    /// Replaces the session under `nonce` if it is still the one in use; another request may have brought a newer one.
    mutating func renew(_ space: ProtectionSpace, _ credential: UserCredential, nonce: String, by session: DigestSession) {
        guard let index = entries[space.challenger]?.firstIndex(where: { $0.isFor(space, credential) && $0.nonce == nonce }) else { return }
        entries[space.challenger]?[index].means = .digest(session)
    }

    /// - Parameter nonce: if given, the entry goes only if it still uses this nonce.
    mutating func forget(_ space: ProtectionSpace, _ credential: UserCredential, nonce: String? = nil) {
        remove(from: space.challenger) { $0.isFor(space, credential) && (nonce == nil || $0.nonce == nonce) }
    }

    private mutating func evictLeastRecentlyUsed() {
        let oldest = entries.values.joined().min { $0.lastUse < $1.lastUse }
        if let oldest { remove(from: oldest.space.challenger) { $0.lastUse == oldest.lastUse } }
    }

    private mutating func remove(from challenger: Challenger, where isGone: (Entry) -> Bool) {
        guard var list = entries[challenger] else { return }
        let before = list.count
        list.removeAll(where: isGone)
        count -= before - list.count
        entries[challenger] = list.isEmpty ? nil : list
    }
}

extension UserCredential {
    /// In place of a credential where the system's tickets are used.
    static let tickets = UserCredential(userID: "", password: "")
}

extension AcceptedCredentials.Entry {
    fileprivate var nonce: String? {
        if case .digest(let session) = means { session.nonce } else { nil }
    }
}

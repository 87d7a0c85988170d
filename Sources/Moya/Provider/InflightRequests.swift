// SPDX-License-Identifier: MIT

/// Who waits for which request, when equal requests are sent once.
///
/// A group is one transfer with everybody who waits for it. Equal requests join the group of their key while it is live. A group whose last
/// member cancels, or whose outcome is known, takes no one in any more: the next equal request begins another. It stays visible in
/// ``waitersByKey`` until its last member has been told.
struct InflightRequests<Key: Hashable, Waiter> {
    typealias GroupID = UInt64

    /// A member of a group.
    struct Ticket: Hashable, Sendable {
        let group: GroupID
        fileprivate let member: UInt64
        /// Whether this member has to make the transfer.
        let isFirst: Bool
    }

    enum Departure {
        /// The outcome is known already, or the member has left already.
        case none
        /// The member has left the group, which goes on; tell it that it is cancelled.
        case leave(Waiter, wasSent: Bool)
        /// Nobody else waits: cancel the transfer, and its outcome tells the member.
        case cancelTransfer(any Cancellable)
    }

    struct Group {
        fileprivate let key: Key
        fileprivate let transfer: any Cancellable
        fileprivate(set) var members: [(id: UInt64, waiter: Waiter)]
        fileprivate var wasSent = false
        fileprivate var isOutcomeKnown = false
        fileprivate var untoldCount = 0
    }

    private var groups: [GroupID: Group] = [:]
    private var liveGroups: [Key: GroupID] = [:]
    private var lastID: UInt64 = 0

    /// Joins the live group of `key`, or begins one whose transfer is `transfer`.
    mutating func join(_ waiter: Waiter, for key: Key, transfer: any Cancellable) -> Ticket {
        lastID += 1
        if let group = liveGroups[key] {
            groups[group]?.members.append((lastID, waiter))
            return Ticket(group: group, member: lastID, isFirst: false)
        }
        groups[lastID] = Group(key: key, transfer: transfer, members: [(lastID, waiter)])
        liveGroups[key] = lastID
        return Ticket(group: lastID, member: lastID, isFirst: true)
    }

    /// The group's request is being sent.
    mutating func sendingBegan(_ group: GroupID) {
        groups[group]?.wasSent = true
    }

    /// A member cancels.
    mutating func cancelled(_ ticket: Ticket) -> Departure {
        guard var group = groups[ticket.group], !group.isOutcomeKnown,
            let index = group.members.firstIndex(where: { $0.id == ticket.member })
        else { return .none }
        guard group.members.count > 1 else {
            close(ticket.group, group.key)
            return .cancelTransfer(group.transfer)
        }
        let waiter = group.members.remove(at: index).waiter
        groups[ticket.group] = group
        return .leave(waiter, wasSent: group.wasSent)
    }

    /// The outcome is known. Everybody returned is to be told, in this order, and each time ``told(_:)`` called after it.
    mutating func outcomeArrived(_ id: GroupID) -> [Waiter] {
        guard var group = groups[id], !group.isOutcomeKnown else { return [] }
        close(id, group.key)
        group.isOutcomeKnown = true
        group.untoldCount = group.members.count
        groups[id] = group
        return group.members.map(\.waiter)
    }

    /// One more member of the group has been told.
    /// - Returns: the group after its last member, to be let go of where no lock is held: what a completion, or a value of the target's, is
    ///   the last to hold may cancel in its `deinit`.
    mutating func told(_ group: GroupID) -> Group? {
        groups[group]?.untoldCount -= 1
        return groups[group]?.untoldCount == 0 ? groups.removeValue(forKey: group) : nil
    }

    /// The members of a group whose outcome is not known.
    func waiters(in group: GroupID) -> [Waiter] {
        guard let group = groups[group], !group.isOutcomeKnown else { return [] }
        return group.members.map(\.waiter)
    }

    /// Everybody who waits or is being told, by key, in order of arrival.
    var waitersByKey: [Key: [Waiter]] {
        var waiters: [Key: [Waiter]] = [:]
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
            waiters[group.key, default: []] += group.members.map(\.waiter)
        }
        return waiters
    }

    /// Lets no one in any more.
    private mutating func close(_ group: GroupID, _ key: Key) {
        if liveGroups[key] == group { liveGroups[key] = nil }
    }
}

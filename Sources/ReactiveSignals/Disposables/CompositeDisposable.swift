// SPDX-License-Identifier: MIT

/// Disposables that are disposed of together, in the order in which they were added.
public final class CompositeDisposable: Disposable, @unchecked Sendable {  // its members are touched only under its lock
    typealias Member = (id: UInt64, disposable: any Disposable)

    private let lock = Lock()
    // Under the lock; nil after disposal. Ascending identities.
    private var members: ContiguousArray<Member>? = []
    private var nextID: UInt64 = 0

    /// An empty one.
    public convenience init() {
        self.init([any Disposable]())
    }

    /// One of `disposables`.
    public init<S: Sequence>(_ disposables: S) where S.Element == any Disposable {
        for disposable in disposables {
            members?.append((nextID, disposable))
            nextID += 1
        }
    }

    /// One of those of `disposables` that are not nil.
    public convenience init<S: Sequence>(_ disposables: S) where S.Element == (any Disposable)? {
        self.init(disposables.compactMap { $0 })
    }

    deinit {
        lock.destroy()
    }

    /// Whether ``dispose()`` was called.
    public var isDisposed: Bool {
        lock.lock()
        defer { lock.unlock() }
        return members == nil
    }

    /// Disposes of all members, in the order in which they were added.
    public func dispose() {
        lock.lock()
        let members = members
        self.members = nil
        lock.unlock()
        guard let members else { return }
        for member in members { member.disposable.dispose() }
    }

    /// Adds a member; disposes of it at once if this was disposed of before.
    /// - Returns: what takes the member out again without disposing of it; nil if nothing was added.
    @discardableResult
    public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
        guard let disposable, !disposable.isDisposed, let id = insert(disposable) else { return nil }
        return Membership(of: id, in: self)
    }

    /// Adds an action; runs it at once if this was disposed of before.
    /// - Returns: what takes the action out again without running it; nil if nothing was added.
    @discardableResult
    @preconcurrency
    public func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(AnyDisposable(action))
    }

    /// ``add(_:)-(any_Disposable)?``, as an operator.
    @discardableResult
    public static func += (lhs: CompositeDisposable, rhs: (any Disposable)?) -> (any Disposable)? {
        lhs.add(rhs)
    }

    /// Adds an action, as an operator; runs it at once if the left side was disposed of before.
    @discardableResult
    @preconcurrency
    public static func += (lhs: CompositeDisposable, rhs: @escaping @Sendable () -> Void) -> (any Disposable)? {
        lhs.add(rhs)
    }

    /// Adds a member and names it; nil if it was disposed of at once.
    @discardableResult
    func insert(_ disposable: any Disposable) -> UInt64? {
        lock.lock()
        guard members != nil else {
            lock.unlock()
            disposable.dispose()
            return nil
        }
        let id = nextID
        nextID += 1
        members?.append((id, disposable))
        lock.unlock()
        return id
    }

    @discardableResult
    func insert(unchecked action: @escaping () -> Void) -> UInt64? {
        insert(AnyDisposable.unchecked(action))
    }

    /// Takes a member out without disposing of it.
    func remove(_ id: UInt64) {
        lock.lock()
        let removed = removeLocked(id)
        lock.unlock()
        withExtendedLifetime(removed) {}
    }

    private func removeLocked(_ id: UInt64) -> Member? {
        guard let count = members?.count else { return nil }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            guard let found = members?[middle].id else { return nil }
            if found == id { return members?.remove(at: middle) }
            if found < id { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private final class Membership: Disposable, @unchecked Sendable {  // the lock guards both
        private weak var composite: CompositeDisposable?
        private let id: UInt64
        private let left = Guarded(false)

        init(of id: UInt64, in composite: CompositeDisposable) {
            self.id = id
            self.composite = composite
        }

        var isDisposed: Bool { left.withLock { $0 } }

        func dispose() {
            left.withLock { $0 = true }
            composite?.remove(id)
        }
    }
}

// SPDX-License-Identifier: MIT

extension Signal {
    /// Takes events: an end to send into, or an action to observe with.
    ///
    /// The observer that sends into a signal interrupts it when it is released.
    public final class Observer: @unchecked Sendable {  // constants; the core has its lock
        /// Takes an event.
        public typealias Action = @Sendable (Event) -> Void

        private let core: Core?
        private let action: ((Event) -> Void)?

        /// An observer that hands every event to `action`.
        @preconcurrency
        public init(_ action: @escaping @Sendable (Event) -> Void) {
            core = nil
            self.action = action
        }

        /// An observer with an action for each case; those left out are ignored.
        @preconcurrency
        public convenience init(
            value: (@Sendable (Value) -> Void)? = nil, failed: (@Sendable (Error) -> Void)? = nil,
            completed: (@Sendable () -> Void)? = nil, interrupted: (@Sendable () -> Void)? = nil
        ) {
            self.init(
                nil,
                { event in
                    switch event {
                    case .value(let sent): value?(sent)
                    case .failed(let error): failed?(error)
                    case .completed: completed?()
                    case .interrupted: interrupted?()
                    }
                })
        }

        private init(_ core: Core?, _ action: ((Event) -> Void)?) {
            self.core = core
            self.action = action
        }

        static func unchecked(_ action: @escaping (Event) -> Void) -> Observer {
            Observer(nil, action)
        }

        convenience init(sendingInto core: Core) {
            self.init(core, nil)
        }

        deinit {
            core?.send(.interrupted)
        }

        /// Sends an event.
        public func send(_ event: Event) {
            if let core {
                core.send(event)
            } else {
                action?(event)
            }
        }

        /// Sends a value.
        public func send(value: Value) { send(.value(value)) }

        /// Sends a failure.
        public func send(error: Error) { send(.failed(error)) }

        /// Sends the completion.
        public func sendCompleted() { send(.completed) }

        /// Sends an interruption.
        public func sendInterrupted() { send(.interrupted) }
    }
}

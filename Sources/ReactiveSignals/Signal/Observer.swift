// SPDX-License-Identifier: MIT

extension Signal {
    /// Takes events: an end to send into, or an action to observe with.
    ///
    /// The observer that sends into a signal interrupts it when it is released.
    public final class Observer: @unchecked Sendable {  // constants; the core has its lock
        /// Takes an event.
        public typealias Action = @Sendable (Event) -> Void

        private let core: Core?
        private let sink: Sink<Value, Error>?

        /// An observer that hands every event to `action`.
        @preconcurrency
        public init(_ action: @escaping @Sendable (Event) -> Void) {
            core = nil
            sink = Sink(action)
        }

        /// An observer with an action for each case; those left out are ignored.
        @preconcurrency
        public convenience init(
            value: (@Sendable (Value) -> Void)? = nil, failed: (@Sendable (Error) -> Void)? = nil,
            completed: (@Sendable () -> Void)? = nil, interrupted: (@Sendable () -> Void)? = nil
        ) {
            self.init(
                Sink(
                    value: { value?($0) },
                    end: { end in
                        switch end {
                        case .failed(let error): failed?(error)
                        case .completed: completed?()
                        case .interrupted: interrupted?()
                        }
                    }))
        }

        private init(_ core: Core?, _ sink: Sink<Value, Error>?) {
            self.core = core
            self.sink = sink
        }

        convenience init(_ sink: Sink<Value, Error>) {
            self.init(nil, sink)
        }

        static func unchecked(_ action: @escaping (Event) -> Void) -> Observer {
            Observer(Sink(action))
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
                sink?(event)
            }
        }

        /// Sends a value.
        public func send(value: Value) {
            if let core {
                core.send(value: value)
            } else {
                sink?.value(value)
            }
        }

        /// The observer as a sink, for callers that send many events.
        var asSink: Sink<Value, Error> {
            sink ?? Sink(value: send(value:), end: send(end:))
        }

        func send(end: StreamEnd<Error>) {
            if let core {
                core.terminate(Event(end))
            } else {
                sink?.end(end)
            }
        }

        /// Sends a failure.
        public func send(error: Error) { send(.failed(error)) }

        /// Sends the completion.
        public func sendCompleted() { send(.completed) }

        /// Sends an interruption.
        public func sendInterrupted() { send(.interrupted) }
    }
}

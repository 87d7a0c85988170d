// SPDX-License-Identifier: MIT

extension Signal {
    /// What a signal sends: any number of values, then at most one of the other three, then nothing.
    @frozen
    public enum Event {
        /// A value.
        case value(Value)

        /// The end, by a failure.
        case failed(Error)

        /// The end, because everything was sent.
        case completed

        /// The end, because the work was given up.
        case interrupted

        /// Whether it is ``completed``.
        public var isCompleted: Bool {
            if case .completed = self { return true }
            return false
        }

        /// Whether nothing follows it.
        public var isTerminating: Bool {
            if case .value = self { return false }
            return true
        }

        /// The value; nil for the other cases.
        public var value: Value? {
            if case .value(let value) = self { return value }
            return nil
        }

        /// The error; nil for the other cases.
        public var error: Error? {
            if case .failed(let error) = self { return error }
            return nil
        }

        /// The same event with its value transformed.
        public func map<U>(_ f: (Value) -> U) -> Signal<U, Error>.Event {
            switch self {
            case .value(let value): .value(f(value))
            case .failed(let error): .failed(error)
            case .completed: .completed
            case .interrupted: .interrupted
            }
        }

        /// The same event with its error transformed.
        public func mapError<F>(_ f: (Error) -> F) -> Signal<Value, F>.Event {
            switch self {
            case .value(let value): .value(value)
            case .failed(let error): .failed(f(error))
            case .completed: .completed
            case .interrupted: .interrupted
            }
        }
    }
}

extension Signal.Event: Sendable where Value: Sendable {}

extension Signal.Event: Equatable where Value: Equatable, Error: Equatable {}

extension Signal.Event: CustomStringConvertible {
    /// The name of the case in capitals, with its value or error.
    public var description: String {
        switch self {
        case .value(let value): "VALUE \(value)"
        case .failed(let error): "FAILED \(error)"
        case .completed: "COMPLETED"
        case .interrupted: "INTERRUPTED"
        }
    }
}

/// A ``Signal/Event``, for extensions of types that hold one.
public protocol EventProtocol {
    /// What the signal sends.
    associatedtype Value
    /// What the signal fails with.
    associatedtype Error: Swift.Error
    /// The event itself.
    var event: Signal<Value, Error>.Event { get }
}

extension Signal.Event: EventProtocol {
    /// The event itself.
    public var event: Signal<Value, Error>.Event { self }
}

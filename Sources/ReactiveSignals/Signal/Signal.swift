// SPDX-License-Identifier: MIT

/// A stream of events that is going on whether or not somebody observes it.
///
/// It sends any number of values, then at most one end: a failure, the completion or an interruption. All observers see the same events, in
/// the order in which they were attached, never two at a time. An observer that comes after the end gets an interruption.
///
/// Who sends keeps the input ``Observer``; when that is released, the signal is interrupted. A signal that nobody references or observes
/// ends in silence and disposes of its work. A value must not be sent to a signal from inside its own delivery; use
/// ``reentrantUnserialized(_:)`` where that is needed.
public final class Signal<Value, Error: Swift.Error>: @unchecked Sendable {  // the core has its lock
    let core: Core

    /// A signal that sends what `generator` sends; `generator` runs at once, and its lifetime ends with the signal.
    public convenience init(_ generator: (Observer, Lifetime) -> Void) {
        self.init(.inTurn, generator)
    }

    init(_ delivery: Delivery, _ generator: (Observer, Lifetime) -> Void) {
        core = Core(delivery, hasShell: true)
        generator(Observer(sendingInto: core), Lifetime(core.disposables))
    }

    init(_ core: Core) {
        self.core = core
    }

    deinit {
        core.shellWasReleased()
    }

    /// A signal for a generator that sends from one thread at a time by itself.
    public static func unserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal {
        Signal(.unserialized, generator)
    }

    /// A signal that may be sent values from inside its own delivery; they follow after the current one. Not for several threads at a time.
    public static func reentrantUnserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal {
        Signal(.queued, generator)
    }

    /// A signal that sends nothing.
    public static var never: Signal {
        Signal(.inTurn) { observer, lifetime in
            lifetime.disposables.insert(unchecked: { withExtendedLifetime(observer) {} })
        }
    }

    /// A signal that has completed.
    public static var empty: Signal {
        Signal(.inTurn) { observer, _ in observer.sendCompleted() }
    }

    /// A signal and the observer that sends into it, from any threads.
    /// - Parameter disposable: disposed of when the signal has terminated.
    public static func pipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
        pipe(.inTurn, disposable)
    }

    /// A signal and the observer that sends into it, from one thread at a time.
    public static func unserializedPipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
        pipe(.unserialized, disposable)
    }

    /// A signal and the observer that sends into it, also from inside the signal's delivery.
    public static func reentrantUnserializedPipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
        pipe(.queued, disposable)
    }

    private static func pipe(_ delivery: Delivery, _ disposable: (any Disposable)?) -> (output: Signal, input: Observer) {
        let core = Core(delivery, hasShell: true)
        if let disposable { core.disposables.insert(disposable) }
        return (Signal(core), Observer(sendingInto: core))
    }
}

/// A ``Signal``, for extensions that constrain its types.
public protocol SignalProtocol<Value, Error>: AnyObject {
    /// What the signal sends.
    associatedtype Value
    /// What the signal fails with.
    associatedtype Error: Swift.Error
    /// The signal itself.
    var signal: Signal<Value, Error> { get }
}

extension Signal: SignalProtocol {
    /// The signal itself.
    public var signal: Signal<Value, Error> { self }
}

extension Signal: SignalProducerConvertible {
    /// A producer whose starts observe this signal, each from then on.
    public var producer: SignalProducer<Value, Error> { SignalProducer(self) }
}

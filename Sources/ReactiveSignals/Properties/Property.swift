// SPDX-License-Identifier: MIT

/// A stream that never fails: a source of values to bind.
public protocol BindingSource<Value>: SignalProducerConvertible where Error == Never {}

extension Signal: BindingSource where Error == Never {}

extension SignalProducer: BindingSource where Error == Never {}

/// A value that changes over time and can be observed.
public protocol PropertyProtocol<Value>: AnyObject, BindingSource {
    /// The value at present.
    var value: Value { get }

    /// Sends the value at present, then every change. Completes when the property is released.
    var producer: SignalProducer<Value, Never> { get }

    /// Sends every change. Completes when the property is released.
    var signal: Signal<Value, Never> { get }
}

extension PropertyProtocol {
    /// A property of what `transform` makes of the value.
    @preconcurrency
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> Property<U> {
        Property(storage: PropertyStorage(producer.applying(Operators.map(transform)), fallback: nil))
    }
}

/// A value that is read and observed, but not set.
@propertyWrapper
public final class Property<Value>: PropertyProtocol, @unchecked Sendable {  // the storage has its locks
    private let storage: PropertyStorage<Value>

    fileprivate init(storage: PropertyStorage<Value>) {
        self.storage = storage
    }

    /// A property whose value never changes.
    public init(value: Value) {
        storage = PropertyStorage(value)
        storage.complete()
    }

    /// A property that follows another one, which it does not retain.
    public convenience init<P: PropertyProtocol>(_ property: P) where P.Value == Value {
        self.init(storage: PropertyStorage(property.producer, fallback: property.value))
    }

    /// A property that has `initial` as its value until `values`, which is started now, sends one. Its own end is that of `values`.
    public convenience init(initial: Value, then values: SignalProducer<Value, Never>) {
        self.init(storage: PropertyStorage(values, fallback: initial))
    }

    /// A property that has `initial` as its value until `values`, which is started now, sends one.
    public convenience init<Values: BindingSource>(initial: Value, then values: Values) where Values.Value == Value {
        self.init(initial: initial, then: values.producer)
    }

    /// The value at present.
    public var value: Value { storage.value }

    /// The value at present.
    public var wrappedValue: Value { storage.value }

    /// The property itself.
    public var projectedValue: Property<Value> { self }

    /// Sends the value at present, then every change. Completes when the source of the property ends.
    public var producer: SignalProducer<Value, Never> { storage.producer }

    /// Sends every change. Completes when the source of the property ends.
    public var signal: Signal<Value, Never> { storage.signal }
}

/// A value that is read, set and observed.
///
/// Setting and telling observers is one step: changes from several threads are seen by all in one order. An observer must not set the
/// property that it observes.
@propertyWrapper
public final class MutableProperty<Value>: PropertyProtocol, @unchecked Sendable {  // the storage has its locks
    private let storage: PropertyStorage<Value>
    private let token = Lifetime.Token()

    /// Ends when the property is released.
    public let lifetime: Lifetime

    /// A property with a first value.
    public init(_ initialValue: Value) {
        storage = PropertyStorage(initialValue)
        lifetime = Lifetime(token)
    }

    /// A property with a first value.
    public convenience init(wrappedValue: Value) {
        self.init(wrappedValue)
    }

    deinit {
        token.dispose()
        storage.complete()
    }

    /// The value at present.
    public var value: Value {
        get { storage.value }
        set { _ = storage.swap(newValue) }
    }

    /// The value at present.
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The property itself.
    public var projectedValue: MutableProperty<Value> { self }

    /// Sends the value at present, then every change. Completes when the property is released.
    public var producer: SignalProducer<Value, Never> { storage.producer }

    /// Sends every change. Completes when the property is released.
    public var signal: Signal<Value, Never> { storage.signal }

    /// Sets the value and returns the previous one.
    @discardableResult
    public func swap(_ newValue: Value) -> Value {
        storage.swap(newValue)
    }

    /// Changes the value in one step and returns what `action` returns. `action` must not use this property: its lock is held.
    @discardableResult
    public func modify<R>(_ action: (inout Value) throws -> R) rethrows -> R {
        try storage.modify(action)
    }

    /// Reads the value while nobody can change it. `action` must not use this property: its lock is held.
    @discardableResult
    public func withValue<R>(_ action: (Value) throws -> R) rethrows -> R {
        try storage.withValue(action)
    }
}

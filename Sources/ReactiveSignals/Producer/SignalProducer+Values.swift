// SPDX-License-Identifier: MIT

extension SignalProducer {
    /// A producer of one value.
    public init(value: Value) {
        self = .generating({ sink, _ in
            sink.value(value)
            return .completed
        })
    }

    /// A producer that fails.
    public init(error: Error) {
        self = .generating({ _, _ in .failed(error) })
    }

    /// A producer of a success, or one that fails with a failure.
    public init(result: Result<Value, Error>) {
        self = .generating({ sink, _ in result.sent(into: sink) })
    }

    /// A producer of what `action` returns; it is called at each start.
    @preconcurrency
    public init(_ action: @escaping @Sendable () -> Value) {
        self = .generating({ sink, _ in
            sink.value(action())
            return .completed
        })
    }

    /// A producer of what `action` returns, or one that fails with it; it is called at each start.
    @preconcurrency
    public init(_ action: @escaping @Sendable () -> Result<Value, Error>) {
        self = .generating({ sink, _ in action().sent(into: sink) })
    }

    /// A producer of the elements of a sequence, which is enumerated at each start until that is disposed of.
    public init<S: Sequence>(_ values: S) where S.Element == Value {
        self = .generating({ sink, scope in
            for value in values {
                sink.value(value)
                if scope.hasEnded { break }
            }
            return .completed
        })
    }

    /// A producer of these values.
    public init(values first: Value, _ second: Value, _ tail: Value...) {
        self.init([first, second] + tail)
    }
}

extension SignalProducer where Error == Never {
    /// A producer of one value.
    public init(value: Value) {
        self = .generating({ sink, _ in
            sink.value(value)
            return .completed
        })
    }

    /// A producer of the elements of a sequence, which is enumerated at each start until that is disposed of.
    public init<S: Sequence>(_ values: S) where S.Element == Value {
        self = .generating({ sink, scope in
            for value in values {
                sink.value(value)
                if scope.hasEnded { break }
            }
            return .completed
        })
    }

    /// A producer of these values.
    public init(values first: Value, _ second: Value, _ tail: Value...) {
        self.init([first, second] + tail)
    }
}

extension SignalProducer where Error == any Swift.Error {
    /// A producer of what `action` returns, or one that fails with what it throws; it is called at each start.
    @preconcurrency
    public init(_ action: @escaping @Sendable () throws -> Value) {
        self = .generating({ sink, _ in Result(catching: action).sent(into: sink) })
    }
}

extension Result {
    /// Sends the success, if it is one, and returns the end that follows.
    func sent(into sink: Sink<Success, Failure>) -> StreamEnd<Failure> {
        switch self {
        case .success(let value):
            sink.value(value)
            return .completed
        case .failure(let error):
            return .failed(error)
        }
    }
}

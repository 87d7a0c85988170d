// SPDX-License-Identifier: MIT

/// How a stream ends.
enum StreamEnd<Error: Swift.Error> {
    case failed(Error)
    case completed
    case interrupted
}

/// Where the events of a stage go: values apart from the end, since an event is costly to make and to take apart again at each stage.
struct Sink<Value, Error: Swift.Error> {
    let value: (Value) -> Void
    let end: (StreamEnd<Error>) -> Void

    init(value: @escaping (Value) -> Void, end: @escaping (StreamEnd<Error>) -> Void) {
        self.value = value
        self.end = end
    }

    /// A sink that handles all kinds of events in one closure.
    init(_ action: @escaping (Signal<Value, Error>.Event) -> Void) {
        value = { action(.value($0)) }
        end = { action(Signal<Value, Error>.Event($0)) }
    }

    /// Drops what follows the first end: for operators that end their stream before its source does, and then hear of the source's end as
    /// well.
    var untilEnd: Sink {
        var hasEnded = false
        return Sink(
            value: { value in
                if !hasEnded { self.value(value) }
            },
            end: { end in
                guard !hasEnded else { return }
                hasEnded = true
                self.end(end)
            })
    }

    func callAsFunction(_ event: Signal<Value, Error>.Event) {
        switch event {
        case .value(let sent): value(sent)
        case .failed(let error): end(.failed(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }
}

extension Signal.Event {
    init(_ end: StreamEnd<Error>) {
        switch end {
        case .failed(let error): self = .failed(error)
        case .completed: self = .completed
        case .interrupted: self = .interrupted
        }
    }
}

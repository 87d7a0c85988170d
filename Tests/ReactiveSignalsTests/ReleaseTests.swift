// SPDX-License-Identifier: MIT

import ReactiveSignals
import Testing

/// A value or a closure may use the very signal or property that lets go of it: no lock is held at that moment.
@Suite(.timeLimit(.minutes(1)))
struct ReleaseTests {
    private final class Model: Sendable {
        private let onDeinit: @Sendable () -> Void
        init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    private final class Box<Content>: @unchecked Sendable {  // used by the test's one thread
        var content: Content
        init(_ content: Content) { self.content = content }
    }

    @Test func `a value that only a following property holds reads it when it is replaced`() {
        let numbers = MutableProperty(1)
        let releases = Box(0)
        let property = Box<Property<Model>?>(nil)
        property.content = numbers.map { _ in
            Model {
                releases.content += 1
                _ = property.content?.value
            }
        }

        numbers.value = 2
        numbers.value = 3
        #expect(releases.content == 2)

        let last = property.content
        property.content = nil
        withExtendedLifetime(last) {}
    }

    @Test func `what an observer was the last to hold sends when the observer has left in the middle of a value`() {
        let (output, input) = Signal<Int, Never>.reentrantUnserializedPipe()
        let received = Box<[Int]>([])
        let disposable = Box<(any Disposable)?>(nil)
        disposable.content = output.observeValues { [held = Model { input.send(value: 7) }] value in
            withExtendedLifetime(held) {}
            disposable.content?.dispose()
            received.content.append(value)
        }
        output.observeValues { received.content.append($0 * 10) }

        input.send(value: 1)

        #expect(received.content == [1, 10, 70])
        input.sendCompleted()
    }

    @Test func `a value that was queued sends when it is let go of`() {
        let (output, input) = Signal<Model?, Never>.reentrantUnserializedPipe()
        let count = Box(0)
        output.observeValues { value in
            withExtendedLifetime(value) {}
            count.content += 1
            if count.content == 1 { input.send(value: Model { input.send(value: nil) }) }
        }

        input.send(value: nil)

        #expect(count.content == 3)
        input.sendCompleted()
    }

    @Test func `a value that waited for its pair is let go of with it, and sends then`() {
        let (models, modelInput) = Signal<Model, Never>.pipe()
        let (numbers, numberInput) = Signal<Int, Never>.pipe()
        let (echo, echoInput) = Signal<Int, Never>.reentrantUnserializedPipe()
        let released = Box<[Int]>([])
        echo.observeValues { released.content.append($0) }
        let received = Box<[Int]>([])
        models.zip(with: numbers).observeValues { received.content.append($0.1) }

        for number in 0..<200 { modelInput.send(value: Model { echoInput.send(value: number) }) }
        for number in 0..<100 {
            numberInput.send(value: number)
            #expect(released.content.last == number)
        }

        #expect(received.content == Array(0..<100))
        #expect(released.content == Array(0..<100))
        modelInput.sendInterrupted()
    }

    @Test func `a producer that was started is let go of, though others wait behind it`() {
        let released = Box<[Int]>([])
        let (output, input) = Signal<SignalProducer<Int, Never>, Never>.pipe()
        output.flatten(.concurrent(limit: 1)).observeValues { _ in }
        let ends = (0..<3).map { _ in Signal<Int, Never>.pipe() }
        for number in 0..<3 {
            let inner = ends[number].output
            input.send(
                value: SignalProducer { [held = Model { released.content.append(number) }] observer, lifetime in
                    withExtendedLifetime(held) {}
                    lifetime += inner.observe(observer)
                })
        }

        #expect(released.content == [0])
        ends[0].input.sendCompleted()
        #expect(released.content == [0, 1])
        ends[1].input.sendCompleted()
        #expect(released.content == [0, 1, 2])

        input.sendCompleted()
        ends[2].input.sendCompleted()
    }
}

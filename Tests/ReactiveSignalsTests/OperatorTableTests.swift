// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals
import Testing

/// One operator, applied to a stream of integers, and what becomes of each way in which a stream can go.
struct OperatorCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (IntProducer) -> SignalProducer<String, TestError>
    let values: [String]
    /// For values that are followed by a failure; an operator that holds values back sends none of them then.
    let valuesBeforeFailure: [String]

    init<U>(
        _ name: String, _ values: [String], beforeFailure: [String]? = nil,
        _ apply: @escaping @Sendable (IntProducer) -> SignalProducer<U, TestError>
    ) {
        testDescription = name
        self.values = values
        valuesBeforeFailure = beforeFailure ?? values
        self.apply = { apply($0).map { "\($0)" } }
    }

    /// Each gets 1, 2, 2, 3.
    static let all: [OperatorCase] = [
        OperatorCase("map", ["2", "3", "3", "4"]) { $0.map { $0 + 1 } },
        OperatorCase("map(value:)", ["x", "x", "x", "x"]) { $0.map(value: "x") },
        OperatorCase("map(keyPath)", ["1", "2", "2", "3"]) { $0.map(\.description) },
        OperatorCase("mapError", ["1", "2", "2", "3"]) { $0.mapError { $0 } },
        OperatorCase("filter", ["2", "2"]) { $0.filter { $0 == 2 } },
        OperatorCase("compactMap", ["2", "2"]) { $0.compactMap { $0 == 2 ? $0 : nil } },
        OperatorCase("skipNil", ["2", "2"]) { $0.map { $0 == 2 ? $0 : nil }.skipNil() },
        OperatorCase("attempt", ["1", "2", "2", "3"]) { $0.attempt { _ in .success(()) } },
        OperatorCase("attemptMap", ["3", "6", "6", "9"]) { $0.attemptMap { .success($0 * 3) } },
        OperatorCase("skip(first:)", ["2", "3"]) { $0.skip(first: 2) },
        OperatorCase("skip(while:)", ["2", "2", "3"]) { $0.skip { $0 == 1 } },
        OperatorCase("skipRepeats", ["1", "2", "3"]) { $0.skipRepeats() },
        OperatorCase("uniqueValues", ["1", "2", "3"]) { $0.uniqueValues() },
        OperatorCase("take(last:)", ["2", "3"], beforeFailure: []) { $0.take(last: 2) },
        OperatorCase("take(while:)", ["1", "2", "2", "3"]) { $0.take(while: { $0 < 9 }) },
        OperatorCase("collect", ["[1, 2, 2, 3]"], beforeFailure: []) { $0.collect() },
        OperatorCase("collect(count:)", ["[1, 2, 2]", "[3]"], beforeFailure: ["[1, 2, 2]"]) { $0.collect(count: 3) },
        OperatorCase("collect including", ["[1, 2]", "[2, 3]"]) { $0.collect { $0.count == 2 } },
        OperatorCase("collect before", ["[1]", "[2, 2]", "[3]"], beforeFailure: ["[1]", "[2, 2]"]) { producer in
            producer.collect { (collected: [Int], latest: Int) in collected.last.map { $0 != latest } ?? false }
        },
        OperatorCase("scan", ["11", "13", "15", "18"]) { $0.scan(10, +) },
        OperatorCase("reduce", ["18"], beforeFailure: []) { $0.reduce(10, +) },
        OperatorCase("scanMap", ["1", "3", "5", "8"]) {
            $0.scanMap(into: 0) { state, value in
                state += value; return state
            }
        },
        OperatorCase("combinePrevious", ["(1, 2)", "(2, 2)", "(2, 3)"]) { $0.combinePrevious() },
        OperatorCase("flatten", ["1", "1", "2", "2", "2", "2", "3", "3"]) { $0.map { [$0, $0] }.flatten() },
        OperatorCase("materialize, dematerialize", ["1", "2", "2", "3"]) { $0.materialize().dematerialize() },
        OperatorCase("results", ["1", "2", "2", "3"]) { $0.materializeResults().dematerializeResults() },
        OperatorCase("on", ["1", "2", "2", "3"]) { $0.on(value: { _ in }) },
        OperatorCase("observe(on:)", ["1", "2", "2", "3"]) { $0.observe(on: ImmediateScheduler()) },
        OperatorCase("start(on:)", ["1", "2", "2", "3"]) { $0.start(on: ImmediateScheduler()) },
        OperatorCase("merge", ["0", "1", "2", "2", "3"]) { SignalProducer.merge(SignalProducer(value: 0), $0) },
        OperatorCase("combineLatest", ["1-9", "2-9", "2-9", "3-9"]) { producer in
            SignalProducer(value: 9).combineLatest(with: producer).map { "\($0.1)-\($0.0)" }
        },
        OperatorCase("zip", ["(1, 0)", "(2, 1)", "(2, 2)", "(3, 3)"], beforeFailure: []) { $0.zip(with: SignalProducer(0...9)) },
        OperatorCase("withLatest", ["(1, 7)", "(2, 7)", "(2, 7)", "(3, 7)"]) { $0.withLatest(from: SignalProducer(value: 7)) },
        OperatorCase("flatMap(.merge)", ["1", "2", "2", "3"]) { $0.flatMap(.merge) { SignalProducer(value: $0) } },
        OperatorCase("flatMap(.concat)", ["1", "2", "2", "3"]) { $0.flatMap(.concat) { SignalProducer(value: $0) } },
        OperatorCase("flatMap(.latest)", ["1", "2", "2", "3"]) { $0.flatMap(.latest) { SignalProducer(value: $0) } },
        OperatorCase("flatMap(.throttle)", ["1", "2", "2", "3"]) { $0.flatMap(.throttle) { SignalProducer(value: $0) } },
        OperatorCase("flatMapError", ["1", "2", "2", "3"]) { $0.flatMapError { SignalProducer(error: $0) } },
        OperatorCase("concat", ["1", "2", "2", "3"]) { $0.concat(.empty) },
        OperatorCase("prefix", ["0", "1", "2", "2", "3"]) { $0.prefix(value: 0) },
        OperatorCase("then", ["1", "2", "2", "3"]) { SignalProducer(values: 8, 9).then($0) },
    ]
}

@Suite(.timeLimit(.minutes(1)))
struct OperatorTableTests {
    private let source = IntProducer([1, 2, 2, 3])

    private func lines(_ values: [String], _ end: String) -> [String] { values.map { "VALUE \($0)" } + [end] }

    @Test(arguments: OperatorCase.all)
    func `values and the completion pass, at each start again`(operation: OperatorCase) {
        let producer = operation.apply(source)

        #expect(producer.descriptions == lines(operation.values, "COMPLETED"))
        #expect(producer.descriptions == lines(operation.values, "COMPLETED"))
    }

    @Test(arguments: OperatorCase.all)
    func `a failure ends the stream`(operation: OperatorCase) {
        let producer = operation.apply(source.concat(error: TestError(5)))

        #expect(producer.descriptions == lines(operation.valuesBeforeFailure, "FAILED TestError(number: 5)"))
    }

    @Test(arguments: OperatorCase.all.filter { !$0.testDescription.hasPrefix("concat") })
    func `an interruption ends the stream`(operation: OperatorCase) {
        let source = IntProducer { observer, _ in observer.sendInterrupted() }

        let expected = operation.testDescription == "merge" || operation.testDescription == "prefix" ? ["VALUE 0"] : []
        let end = operation.testDescription == "merge" || operation.testDescription == "prefix" ? "COMPLETED" : "INTERRUPTED"
        #expect(operation.apply(source).descriptions == expected + [end])
    }

    @Test(arguments: OperatorCase.all)
    func `disposing of a start interrupts it and disposes of the work once`(operation: OperatorCase) {
        let disposed = Recorded<Int>()
        let source = IntProducer { observer, lifetime in
            lifetime.observeEnded {
                withExtendedLifetime(observer) {}
                disposed.add(1)
            }
        }
        do {
            let (events, handle) = operation.apply(source).recorded()
            handle.dispose()
            handle.dispose()
            #expect(events.all.last == "INTERRUPTED")
            #expect(events.all.count { !$0.hasPrefix("VALUE") } == 1)
        }
        #expect(disposed.all == [1])
    }
}

// SPDX-License-Identifier: MIT

/// How a stream of streams becomes one stream.
public struct FlattenStrategy: Sendable {
    enum Kind {
        case concurrent(limit: UInt)
        case latest
        case race
        case throttle
    }

    let kind: Kind

    /// All inner streams run at the same time.
    public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

    /// One inner stream runs at a time; the others wait in their order.
    public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

    /// A new inner stream takes the place of the one that runs.
    public static let latest = FlattenStrategy(kind: .latest)

    /// The first inner stream to send an event is the only one.
    public static let race = FlattenStrategy(kind: .race)

    /// While an inner stream runs, new ones are ignored.
    public static let throttle = FlattenStrategy(kind: .throttle)

    /// Up to `limit` inner streams run at the same time; the others wait in their order. A limit of 0 traps.
    public static func concurrent(limit: UInt) -> FlattenStrategy {
        precondition(limit > 0, "At least one inner stream has to run")
        return FlattenStrategy(kind: .concurrent(limit: limit))
    }
}

/// Runs inner streams and sends their values into one.
protocol Flattening<Value, Error>: AnyObject {
    associatedtype Value
    associatedtype Error: Swift.Error

    /// An inner stream came.
    func add(_ inner: ProducerCore<Value, Error>)

    /// No more will come.
    func complete()
}

extension FlattenStrategy {
    func flattening<Value, Error>(
        _ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime
    ) -> any Flattening<Value, Error> {
        switch kind {
        case .concurrent(let limit): ConcurrentFlattening(limit: limit, observer, lifetime)
        case .latest: LatestFlattening(observer, lifetime)
        case .race: RaceFlattening(observer, lifetime)
        case .throttle: ThrottleFlattening(observer, lifetime)
        }
    }
}

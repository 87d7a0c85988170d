// SPDX-License-Identifier: MIT

extension SignalProducer {
    /// Starts `next` when this completes or is interrupted; not after a failure.
    public func concat(_ next: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer<SignalProducer<Value, Error>, Never>([self, next]).flatten(.concat)
    }

    /// Starts `next` when this completes or is interrupted; not after a failure.
    public func concat(_ next: some SignalProducerConvertible<Value, Error>) -> SignalProducer<Value, Error> {
        concat(next.producer)
    }

    /// Sends `value` when this completes or is interrupted.
    public func concat(value: Value) -> SignalProducer<Value, Error> {
        concat(SignalProducer(value: value))
    }

    /// Fails with `error` when this completes or is interrupted.
    public func concat(error: Error) -> SignalProducer<Value, Error> {
        concat(SignalProducer(error: error))
    }

    /// Starts this when `previous` completes or is interrupted; not after a failure.
    public func prefix(_ previous: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        previous.concat(self)
    }

    /// Starts this when `previous` completes or is interrupted; not after a failure.
    public func prefix(_ previous: some SignalProducerConvertible<Value, Error>) -> SignalProducer<Value, Error> {
        previous.producer.concat(self)
    }

    /// Sends `value` before everything else.
    public func prefix(value: Value) -> SignalProducer<Value, Error> {
        SignalProducer(value: value).concat(self)
    }

    /// Runs the start on `scheduler`. Events stay on the threads that they are sent from.
    public func start(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        .handling { observer, lifetime in
            lifetime += scheduler.schedule(
                assumeSendable {
                    guard !lifetime.hasEnded else { return }
                    start(into: observer, during: lifetime)
                })
        }
    }

    /// Starts this, with its events going to `observer`, and interrupts it when `lifetime` ends.
    func start(into observer: Signal<Value, Error>.Observer, during lifetime: Lifetime) {
        let (handle, run) = core.connect(.unchecked { observer.send($0) })
        lifetime.disposables.insert(handle)
        if !handle.isDisposed { run() }
    }
}

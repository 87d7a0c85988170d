// SPDX-License-Identifier: MIT

#if ReactiveSwift
@preconcurrency import ReactiveSwift
#else
import ReactiveSignals
#endif

extension SignalProducer where Value: Sendable {
    /// Starts the work, at each read of this property, and gives its values to a loop.
    ///
    /// No value is lost: those that nobody has asked for are kept. The loop ends with the completion and throws the failure, or
    /// `CancellationError` after an interruption. Leaving the loop, dropping the sequence or cancelling the task disposes of the start.
    public var values: AsyncThrowingStream<Value, any Swift.Error> {
        AsyncThrowingStream { continuation in
            let handle = start { event in
                switch event {
                case .value(let value): continuation.yield(value)
                case .failed(let error): continuation.finish(throwing: error)
                case .completed: continuation.finish()
                case .interrupted: continuation.finish(throwing: CancellationError())
                }
            }
            continuation.onTermination = { _ in handle.dispose() }
        }
    }

    /// A producer that runs `operation` in a task of its own at each start.
    ///
    /// What it returns is sent, and the start completes; what it throws is the failure. Disposing of a start cancels its task, and drops
    /// what the task still returns.
    public init(async operation: @escaping @Sendable () async throws(Error) -> Value) {
        self.init { observer, lifetime in
            let task = _Concurrency.Task<Void, Never> {
                do throws(Error) {
                    let value = try await operation()
                    observer.send(value: value)
                    observer.sendCompleted()
                } catch {
                    observer.send(error: error)
                }
            }
            lifetime.observeEnded { task.cancel() }
        }
    }
}

// SPDX-License-Identifier: MIT

/// The events that `logEvents` can log.
public enum LoggingEvent {
    /// Of a signal.
    public enum Signal: String, CaseIterable, Sendable {
        /// A kind of event; `terminated` is any end, `disposed` the end of the lifetime.
        case value, completed, failed, terminated, disposed, interrupted
    }

    /// Of a producer.
    public enum SignalProducer: String, CaseIterable, Sendable {
        /// A kind of event; `starting` is before the work, `started` after it, `terminated` any end, `disposed` the end of the lifetime.
        case starting, started, value, completed, failed, terminated, disposed, interrupted
    }
}

/// Takes one line for an event: the identifier, the event's text, and where `logEvents` was called.
public typealias EventLogger = (
    _ identifier: String, _ event: String, _ fileName: String, _ functionName: String, _ lineNumber: Int
) -> Void

/// Prints `[identifier] event fileName:line functionName`.
public func defaultEventLog(identifier: String, event: String, fileName: String, functionName: String, lineNumber: Int) {
    print("[\(identifier)] \(event) \(fileName):\(lineNumber) \(functionName)")
}

extension Signal {
    /// Logs the events of the given kinds on their way.
    @preconcurrency
    public func logEvents(
        identifier: String = "", events: Set<LoggingEvent.Signal> = Set(LoggingEvent.Signal.allCases), fileName: String = #fileID,
        functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping @Sendable (String, String, String, String, Int) -> Void = {
            defaultEventLog(identifier: $0, event: $1, fileName: $2, functionName: $3, lineNumber: $4)
        }
    ) -> Signal<Value, Error> {
        @Sendable func log(_ text: String) { logger(identifier, text, fileName, functionName, lineNumber) }
        @Sendable func action(_ event: LoggingEvent.Signal) -> (@Sendable () -> Void)? {
            events.contains(event) ? { @Sendable in log(event.rawValue) } : nil
        }
        return on(
            failed: events.contains(.failed) ? { @Sendable error in log("failed \(error)") } : nil, completed: action(.completed),
            interrupted: action(.interrupted), terminated: action(.terminated), disposed: action(.disposed),
            value: events.contains(.value) ? { @Sendable value in log("value \(value)") } : nil)
    }
}

extension SignalProducer {
    /// Logs the events of the given kinds of each start on their way.
    @preconcurrency
    public func logEvents(
        identifier: String = "", events: Set<LoggingEvent.SignalProducer> = Set(LoggingEvent.SignalProducer.allCases),
        fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
        logger: @escaping @Sendable (String, String, String, String, Int) -> Void = {
            defaultEventLog(identifier: $0, event: $1, fileName: $2, functionName: $3, lineNumber: $4)
        }
    ) -> SignalProducer<Value, Error> {
        @Sendable func log(_ text: String) { logger(identifier, text, fileName, functionName, lineNumber) }
        @Sendable func action(_ event: LoggingEvent.SignalProducer) -> (@Sendable () -> Void)? {
            events.contains(event) ? { @Sendable in log(event.rawValue) } : nil
        }
        return on(
            starting: action(.starting), started: action(.started),
            failed: events.contains(.failed) ? { @Sendable error in log("failed \(error)") } : nil,
            completed: action(.completed), interrupted: action(.interrupted), terminated: action(.terminated), disposed: action(.disposed),
            value: events.contains(.value) ? { @Sendable value in log("value \(value)") } : nil)
    }
}

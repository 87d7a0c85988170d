// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request whose response is collected in memory, up to ``SessionLimits/collectedBytes``.
public class DataRequest: Request, @unchecked Sendable {  // what changes is behind `content`
    /// Judges a response; the first failure fails the request. Called on the thread that ends the attempt, usually the engine's: do not
    /// block.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, Data?) -> ValidationResult

    private struct Content {
        var data: Data?
        var validators = ResponseValidators<Data?>()
        var onResponse: (@Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void)?
    }

    /// What the request is made of.
    public let convertible: any URLRequestConvertible
    private let content = InlineLocked(Content())

    init(
        _ convertible: any URLRequestConvertible, session: Session, interceptor: (any RequestInterceptor)?,
        resumesAutomatically: Bool? = nil
    ) {
        self.convertible = convertible
        super.init(session: session, interceptor: interceptor, resumesAutomatically: resumesAutomatically)
    }

    /// The response's content; `nil` before it is complete, or if there was none.
    public var data: Data? { content.withLock { $0.data } }

    override func makeInitialRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func disposition(for response: ReceivedResponse, of exchange: Exchange) -> ContentDisposition {
        let allowed = super.disposition(for: response, of: exchange)
        guard let onResponse = content.withLock({ $0.onResponse }) else { return allowed }
        return waitForDisposition(of: exchange, allowing: allowed) { onResponse(response.urlResponse, $0) }
    }

    override func takeOver(_ outcome: TransferOutcome, response: ReceivedResponse?) -> TakenOver {
        if !outcome.content.isEmpty { content.withLock { $0.data = outcome.content } }
        return .done(nil)
    }

    override func resetForRetry() { content.withLock { $0.data = nil } }

    override func didConclude() {
        // What was given to the request may hold it, or use it when it is let go of: not under the lock.
        let given = content.withLock { ($0.validators.takeAll(), $0.onResponse.take()) }
        withExtendedLifetime(given) {}
    }

    override func validate(_ urlRequest: URLRequest?, _ response: ReceivedResponse) -> AFError? {
        let (validators, data) = content.withLock { ($0.validators, $0.data) }
        guard !validators.isEmpty else { return nil }
        let error = validators.firstFailure(urlRequest, response, data, isEmpty: data?.isEmpty ?? true)
        notify { monitor in
            let result: ValidationResult = error.map { .failure($0) } ?? .success(())
            monitor.request(self, didValidateRequest: urlRequest, response: response.urlResponse, data: data, withResult: result)
        }
        return error
    }

    // MARK: Validation

    /// Adds a validator behind those that are there.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        content.withLock { $0.validators.add(.custom(validation)) }
        return self
    }

    /// Fails the request with `unacceptableStatusCode` unless the status is one of these.
    @discardableResult
    public func validate<S: Sequence>(statusCode acceptableStatusCodes: S) -> Self where S.Iterator.Element == Int, S: Sendable {
        content.withLock { $0.validators.add(.statusCodes { code in acceptableStatusCodes.contains(code) }) }
        return self
    }

    /// Fails the request with `unacceptableContentType` unless the response's media type is one of these; `*` matches either half of it.
    ///
    /// A response without content is not checked; one without a type passes only if `*/*` is acceptable.
    @discardableResult
    public func validate<S: Sequence>(contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S) -> Self
    where S.Iterator.Element == String, S: Sendable {
        content.withLock { $0.validators.add(.contentTypes { _ in Array(acceptableContentTypes()) }) }
        return self
    }

    /// Status 200 to 299, and a media type that the request's `Accept` names, or any if it has none.
    @discardableResult
    public func validate() -> Self {
        content.withLock { $0.validators.addDefaults() }
        return self
    }

    // MARK: The response's head

    /// Calls `handler` when the response's head has arrived; its content waits until `completionHandler` is called. One handler a request.
    @discardableResult
    @preconcurrency
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (
                _ response: HTTPURLResponse, _ completionHandler: @escaping @Sendable (ResponseDisposition) -> Void
            ) -> Void
    ) -> Self {
        let former = content.withLock { content in
            defer { content.onResponse = { response, completion in queue.async { handler(response, completion) } } }
            return content.onResponse.take()
        }
        withExtendedLifetime(former) {}
        return self
    }

    /// Calls `handler` when the response's head has arrived.
    @discardableResult
    @preconcurrency
    public func onHTTPResponse(on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (HTTPURLResponse) -> Void) -> Self {
        onHTTPResponse(on: queue) { response, completionHandler in
            handler(response)
            completionHandler(.allow)
        }
    }
}

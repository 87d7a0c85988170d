// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A ``DataResponse`` whose failure is an ``AFError``.
public typealias AFDataResponse<Success: Sendable> = DataResponse<Success, AFError>

/// Everything about a request that ended, its content held in memory.
public struct DataResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The last request that was sent, or was to be.
    public let request: URLRequest?
    /// The content as it arrived; nil if the request has none or failed before.
    public let data: Data?
    /// What the last transfer cost; nil if nothing was sent or the transport does not measure.
    public let metrics: TransferMetrics?
    /// How long serializing took, in seconds.
    public let serializationDuration: TimeInterval
    /// The value or the error.
    public let result: Result<Success, Failure>

    private let responseSource: ResponseSource

    /// The final response's head; nil if none arrived.
    public var response: HTTPURLResponse? { responseSource.response }
    /// The value, if there is one.
    public var value: Success? { try? result.get() }
    /// The error, if there is one.
    public var error: Failure? { result.failure }

    /// Takes the parts as they are.
    public init(
        request: URLRequest?, response: HTTPURLResponse?, data: Data?, metrics: TransferMetrics?, serializationDuration: TimeInterval,
        result: Result<Success, Failure>
    ) {
        self.init(
            request: request, responseSource: .made(response), data: data, metrics: metrics,
            serializationDuration: serializationDuration, result: result)
    }

    /// A response whose `HTTPURLResponse` is made when it is first asked for.
    package init(
        request: URLRequest?, responseSource: ResponseSource, data: Data?, metrics: TransferMetrics?, serializationDuration: TimeInterval,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.responseSource = responseSource
        self.data = data
        self.metrics = metrics
        self.serializationDuration = serializationDuration
        self.result = result
    }

    private func with<NewSuccess, NewFailure>(_ result: Result<NewSuccess, NewFailure>) -> DataResponse<NewSuccess, NewFailure> {
        DataResponse<NewSuccess, NewFailure>(
            request: request, responseSource: responseSource, data: data, metrics: metrics, serializationDuration: serializationDuration,
            result: result)
    }
}

extension DataResponse {
    /// The response with its value transformed.
    public func map<NewSuccess>(_ transform: (Success) -> NewSuccess) -> DataResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The response with its value transformed; what `transform` throws becomes the error.
    public func tryMap<NewSuccess>(_ transform: (Success) throws -> NewSuccess) -> DataResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// The response with its error transformed.
    public func mapError<NewFailure: Error>(_ transform: (Failure) -> NewFailure) -> DataResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// The response with its error transformed; what `transform` throws becomes the error.
    public func tryMapError<NewFailure: Error>(_ transform: (Failure) throws -> NewFailure) -> DataResponse<Success, any Error> {
        with(result.tryMapError(transform))
    }
}

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The result.
    public var description: String { "\(result)" }

    /// Request, response, durations and result on a few lines. Of bodies only the length is shown, of fields no credentials.
    public var debugDescription: String {
        ResponseDescription(
            request: request, response: response, content: "[Body]: \(data.map { "\($0.count) bytes" } ?? "none")", metrics: metrics,
            serializationDuration: serializationDuration, result: description
        ).text
    }
}

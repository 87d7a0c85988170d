// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A ``DownloadResponse`` whose failure is an ``AFError``.
public typealias AFDownloadResponse<Success: Sendable> = DownloadResponse<Success, AFError>

/// Everything about a download that ended.
public struct DownloadResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The last request that was sent, or was to be.
    public let request: URLRequest?
    /// Where the file is; nil if the download failed before it was moved there.
    public let fileURL: URL?
    /// What the download can be resumed with, if it broke or was cancelled so.
    public let resumeData: Data?
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
        request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, resumeData: Data?, metrics: TransferMetrics?,
        serializationDuration: TimeInterval, result: Result<Success, Failure>
    ) {
        self.init(
            request: request, responseSource: .made(response), fileURL: fileURL, resumeData: resumeData, metrics: metrics,
            serializationDuration: serializationDuration, result: result)
    }

    /// A response whose `HTTPURLResponse` is made when it is first asked for.
    package init(
        request: URLRequest?, responseSource: ResponseSource, fileURL: URL?, resumeData: Data?, metrics: TransferMetrics?,
        serializationDuration: TimeInterval, result: Result<Success, Failure>
    ) {
        self.request = request
        self.responseSource = responseSource
        self.fileURL = fileURL
        self.resumeData = resumeData
        self.metrics = metrics
        self.serializationDuration = serializationDuration
        self.result = result
    }

    private func with<NewSuccess, NewFailure>(_ result: Result<NewSuccess, NewFailure>) -> DownloadResponse<NewSuccess, NewFailure> {
        DownloadResponse<NewSuccess, NewFailure>(
            request: request, responseSource: responseSource, fileURL: fileURL, resumeData: resumeData, metrics: metrics,
            serializationDuration: serializationDuration, result: result)
    }
}

extension DownloadResponse {
    /// The response with its value transformed.
    public func map<NewSuccess>(_ transform: (Success) -> NewSuccess) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The response with its value transformed; what `transform` throws becomes the error.
    public func tryMap<NewSuccess>(_ transform: (Success) throws -> NewSuccess) -> DownloadResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// The response with its error transformed.
    public func mapError<NewFailure: Error>(_ transform: (Failure) -> NewFailure) -> DownloadResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// The response with its error transformed; what `transform` throws becomes the error.
    public func tryMapError<NewFailure: Error>(_ transform: (Failure) throws -> NewFailure) -> DownloadResponse<Success, any Error> {
        with(result.tryMapError(transform))
    }
}

extension DownloadResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The result.
    public var description: String { "\(result)" }

    /// Request, response, file, durations and result on a few lines. Of bodies only the length is shown, of fields no credentials.
    public var debugDescription: String {
        ResponseDescription(
            request: request, response: response,
            content: "[File]: \(fileURL?.path ?? "none")\n    [Resume Data]: \(resumeData.map { "\($0.count) bytes" } ?? "none")",
            metrics: metrics, serializationDuration: serializationDuration, result: description
        ).text
    }
}

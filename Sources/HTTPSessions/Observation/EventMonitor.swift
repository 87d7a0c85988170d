// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hears of what happens to requests, for logs and measurements.
///
/// Every method does nothing by default. They are called on ``queue``: one at a time and in order, as long as that is serial. For one
/// request:
///
/// ```
/// requestDidResume
///   ┌ didCreateInitialURLRequest | didFailToCreateURLRequestWithError      once an attempt
///   │ didAdaptInitialRequest | didFailToAdaptURLRequest                    if there is an adapter
///   │ didCreateUploadable | didFailToCreateUploadableWithError             uploads
///   │ didCreateURLRequest, didCreateTask, didResumeTask
///   │ didGatherMetrics
///   │ didCreateDestinationURL, didFinishDownloadingUsing                   downloads that are complete
///   │ didCompleteTask
///   │ didValidateRequest                                                   if there are validators
///   └ requestIsRetrying                                                    if another attempt follows
///   didParseResponse                                                       once a serializer
/// requestDidFinish
/// ```
public protocol EventMonitor: Sendable {
    /// Where the methods are called; by default the main queue.
    var queue: DispatchQueue { get }

    /// The caller resumed the request, or its session did.
    func requestDidResume(_ request: Request)
    /// The caller suspended the request.
    func requestDidSuspend(_ request: Request)
    /// The request was cancelled.
    func requestDidCancel(_ request: Request)
    /// All handlers were called.
    func requestDidFinish(_ request: Request)
    /// Another attempt begins.
    func requestIsRetrying(_ request: Request)

    /// What the caller asked for was made into a request.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// What the caller asked for could not be made into a request.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// The adapters made `adaptedRequest` of `initialRequest`.
    func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest)
    /// An adapter failed.
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError)
    /// The final request of an attempt is known.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    /// An attempt is about to be sent.
    func request(_ request: Request, didCreateTask task: URLSessionTask)
    /// What an attempt cost.
    func request(_ request: Request, didGatherMetrics metrics: TransferMetrics)
    /// An attempt is sent, or goes on after it was suspended.
    func request(_ request: Request, didResumeTask task: URLSessionTask)
    /// An attempt that is under way is suspended.
    func request(_ request: Request, didSuspendTask task: URLSessionTask)
    /// An attempt that is under way is cancelled.
    func request(_ request: Request, didCancelTask task: URLSessionTask)
    /// An attempt's transfer ended.
    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?)

    /// The validators of a data request were run.
    func request(
        _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult result: Request.ValidationResult)
    /// A handler without a serializer is about to be called.
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    /// A serializer was run.
    func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)

    /// What is uploaded was made.
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)
    /// What is uploaded could not be made.
    func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)

    /// The content is in its file, or could not be moved there.
    func request(_ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask, with result: Result<URL, AFError>)
    /// The destination was settled.
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    /// The validators of a download were run.
    func request(
        _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, fileURL: URL?,
        withResult result: Request.ValidationResult)
    /// A handler without a serializer is about to be called.
    func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    /// A serializer was run.
    func request<Value: Sendable>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)

    /// The validators of a stream were run.
    func request(
        _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        withResult result: Request.ValidationResult)
    /// A serializer made a value of a piece of the stream.
    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)
}

extension EventMonitor {
    /// The main queue.
    public var queue: DispatchQueue { .main }

    /// Does nothing.
    public func requestDidResume(_ request: Request) {}
    /// Does nothing.
    public func requestDidSuspend(_ request: Request) {}
    /// Does nothing.
    public func requestDidCancel(_ request: Request) {}
    /// Does nothing.
    public func requestDidFinish(_ request: Request) {}
    /// Does nothing.
    public func requestIsRetrying(_ request: Request) {}
    /// Does nothing.
    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {}
    /// Does nothing.
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {}
    /// Does nothing.
    public func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest) {}
    /// Does nothing.
    public func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError) {}
    /// Does nothing.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {}
    /// Does nothing.
    public func request(_ request: Request, didCreateTask task: URLSessionTask) {}
    /// Does nothing.
    public func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) {}
    /// Does nothing.
    public func request(_ request: Request, didResumeTask task: URLSessionTask) {}
    /// Does nothing.
    public func request(_ request: Request, didSuspendTask task: URLSessionTask) {}
    /// Does nothing.
    public func request(_ request: Request, didCancelTask task: URLSessionTask) {}
    /// Does nothing.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {}
    /// Does nothing.
    public func request(
        _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult result: Request.ValidationResult
    ) {}
    /// Does nothing.
    public func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {}
    /// Does nothing.
    public func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {}
    /// Does nothing.
    public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {}
    /// Does nothing.
    public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {}
    /// Does nothing.
    public func request(
        _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask, with result: Result<URL, AFError>
    ) {}
    /// Does nothing.
    public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {}
    /// Does nothing.
    public func request(
        _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, fileURL: URL?,
        withResult result: Request.ValidationResult
    ) {}
    /// Does nothing.
    public func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {}
    /// Does nothing.
    public func request<Value: Sendable>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>) {}
    /// Does nothing.
    public func request(
        _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) {}
    /// Does nothing.
    public func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>) {}
}

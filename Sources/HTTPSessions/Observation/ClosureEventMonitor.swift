// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A monitor whose events go to closures, one an event; those that are not set hear nothing.
///
/// The closures are called on ``queue``, in the order that ``EventMonitor`` draws. Set them before the monitor is given to a session or a
/// request: they must not be changed while it is in use.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {  // set before use, as said above
    /// Where the closures are called.
    public let queue: DispatchQueue

    /// The caller resumed the request, or its session did.
    open var requestDidResume: (@Sendable (Request) -> Void)?
    /// The caller suspended the request.
    open var requestDidSuspend: (@Sendable (Request) -> Void)?
    /// The request was cancelled.
    open var requestDidCancel: (@Sendable (Request) -> Void)?
    /// All handlers were called.
    open var requestDidFinish: (@Sendable (Request) -> Void)?
    /// Another attempt begins.
    open var requestIsRetrying: (@Sendable (Request) -> Void)?
    /// What the caller asked for was made into a request.
    open var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// What the caller asked for could not be made into a request.
    open var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, AFError) -> Void)?
    /// The adapters made the last of the two of the first.
    open var requestDidAdaptInitialRequestToAdaptedRequest: (@Sendable (Request, URLRequest, URLRequest) -> Void)?
    /// An adapter failed.
    open var requestDidFailToAdaptURLRequestWithError: (@Sendable (Request, URLRequest, AFError) -> Void)?
    /// The final request of an attempt is known.
    open var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// An attempt is about to be sent.
    open var requestDidCreateTask: (@Sendable (Request, URLSessionTask) -> Void)?
    /// An attempt is sent, or goes on after it was suspended.
    open var requestDidResumeTask: (@Sendable (Request, URLSessionTask) -> Void)?
    /// An attempt that is under way is suspended.
    open var requestDidSuspendTask: (@Sendable (Request, URLSessionTask) -> Void)?
    /// An attempt that is under way is cancelled.
    open var requestDidCancelTask: (@Sendable (Request, URLSessionTask) -> Void)?
    /// What an attempt cost.
    open var requestDidGatherMetrics: (@Sendable (Request, TransferMetrics) -> Void)?
    /// An attempt's transfer ended.
    open var requestDidCompleteTaskWithError: (@Sendable (Request, URLSessionTask, AFError?) -> Void)?
    /// The validators of a data request were run.
    open var requestDidValidateRequestResponseDataWithResult:
        (@Sendable (DataRequest, URLRequest?, HTTPURLResponse, Data?, Request.ValidationResult) -> Void)?
    /// A handler without a serializer is about to be called.
    open var requestDidParseResponse: (@Sendable (DataRequest, DataResponse<Data?, AFError>) -> Void)?
    /// What is uploaded was made.
    open var requestDidCreateUploadable: (@Sendable (UploadRequest, UploadRequest.Uploadable) -> Void)?
    /// What is uploaded could not be made.
    open var requestDidFailToCreateUploadableWithError: (@Sendable (UploadRequest, AFError) -> Void)?
    /// The content is in its file, or could not be moved there.
    open var requestDidFinishDownloadingUsingTaskWithResult: (@Sendable (DownloadRequest, URLSessionTask, Result<URL, AFError>) -> Void)?
    /// The destination was settled.
    open var requestDidCreateDestinationURL: (@Sendable (DownloadRequest, URL) -> Void)?
    /// The validators of a download were run.
    open var requestDidValidateRequestResponseFileURLWithResult:
        (@Sendable (DownloadRequest, URLRequest?, HTTPURLResponse, URL?, Request.ValidationResult) -> Void)?
    /// A handler of a download without a serializer is about to be called.
    open var requestDidParseDownloadResponse: (@Sendable (DownloadRequest, DownloadResponse<URL?, AFError>) -> Void)?

    /// A monitor without closures; `queue` is the main queue by default.
    public init(queue: DispatchQueue = .main) { self.queue = queue }

    /// Calls ``requestDidResume``.
    open func requestDidResume(_ request: Request) { requestDidResume?(request) }
    /// Calls ``requestDidSuspend``.
    open func requestDidSuspend(_ request: Request) { requestDidSuspend?(request) }
    /// Calls ``requestDidCancel``.
    open func requestDidCancel(_ request: Request) { requestDidCancel?(request) }
    /// Calls ``requestDidFinish``.
    open func requestDidFinish(_ request: Request) { requestDidFinish?(request) }
    /// Calls ``requestIsRetrying``.
    open func requestIsRetrying(_ request: Request) { requestIsRetrying?(request) }
    /// Calls ``requestDidCreateInitialURLRequest``.
    open func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        requestDidCreateInitialURLRequest?(request, urlRequest)
    }
    /// Calls ``requestDidFailToCreateURLRequestWithError``.
    open func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
        requestDidFailToCreateURLRequestWithError?(request, error)
    }
    /// Calls ``requestDidAdaptInitialRequestToAdaptedRequest``.
    open func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest) {
        requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest)
    }
    /// Calls ``requestDidFailToAdaptURLRequestWithError``.
    open func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError) {
        requestDidFailToAdaptURLRequestWithError?(request, initialRequest, error)
    }
    /// Calls ``requestDidCreateURLRequest``.
    open func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) { requestDidCreateURLRequest?(request, urlRequest) }
    /// Calls ``requestDidCreateTask``.
    open func request(_ request: Request, didCreateTask task: URLSessionTask) { requestDidCreateTask?(request, task) }
    /// Calls ``requestDidResumeTask``.
    open func request(_ request: Request, didResumeTask task: URLSessionTask) { requestDidResumeTask?(request, task) }
    /// Calls ``requestDidSuspendTask``.
    open func request(_ request: Request, didSuspendTask task: URLSessionTask) { requestDidSuspendTask?(request, task) }
    /// Calls ``requestDidCancelTask``.
    open func request(_ request: Request, didCancelTask task: URLSessionTask) { requestDidCancelTask?(request, task) }
    /// Calls ``requestDidGatherMetrics``.
    open func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) { requestDidGatherMetrics?(request, metrics) }
    /// Calls ``requestDidCompleteTaskWithError``.
    open func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        requestDidCompleteTaskWithError?(request, task, error)
    }
    /// Calls ``requestDidValidateRequestResponseDataWithResult``.
    open func request(
        _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult result: Request.ValidationResult
    ) { requestDidValidateRequestResponseDataWithResult?(request, urlRequest, response, data, result) }
    /// Calls ``requestDidParseResponse``.
    open func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
        requestDidParseResponse?(request, response)
    }
    /// Calls ``requestDidCreateUploadable``.
    open func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        requestDidCreateUploadable?(request, uploadable)
    }
    /// Calls ``requestDidFailToCreateUploadableWithError``.
    open func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
        requestDidFailToCreateUploadableWithError?(request, error)
    }
    /// Calls ``requestDidFinishDownloadingUsingTaskWithResult``.
    open func request(_ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask, with result: Result<URL, AFError>) {
        requestDidFinishDownloadingUsingTaskWithResult?(request, task, result)
    }
    /// Calls ``requestDidCreateDestinationURL``.
    open func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) { requestDidCreateDestinationURL?(request, url) }
    /// Calls ``requestDidValidateRequestResponseFileURLWithResult``.
    open func request(
        _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, fileURL: URL?,
        withResult result: Request.ValidationResult
    ) { requestDidValidateRequestResponseFileURLWithResult?(request, urlRequest, response, fileURL, result) }
    /// Calls ``requestDidParseDownloadResponse``.
    open func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
        requestDidParseDownloadResponse?(request, response)
    }
}

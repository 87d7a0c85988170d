// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request whose response is written to a file.
///
/// The content goes to a temporary file first and is moved to its destination when it is complete, in one step that leaves nothing
/// half-written. A download that fails leaves no file, unless it can be resumed: then ``resumeData`` says where it stopped.
public final class DownloadRequest: Request, @unchecked Sendable {  // what changes is behind `content`
    /// What the destination may do.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Options by their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Folders on the way to the destination are made if they are missing.
        public static let createIntermediateDirectories = Options(rawValue: 1 << 0)
        /// A file that is there is replaced; without this option it makes the download fail.
        public static let removePreviousFile = Options(rawValue: 1 << 1)
    }

    /// Says where the complete file goes, whatever the status. Returning the temporary URL leaves the file where it is.
    ///
    /// Called before validation, once for each attempt that succeeds, on the thread that ends the attempt, usually the engine's: do not
    /// block.
    public typealias Destination = @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)
    /// Judges a response; the first failure fails the request. Called behind the destination, on the thread that ends the attempt.
    public typealias Validation = @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse, _ fileURL: URL?) -> ValidationResult

    /// What a download begins with.
    public enum Downloadable: Sendable {
        /// A request.
        case request(any URLRequestConvertible)
        /// Where an earlier download stopped.
        case resumeData(Data)
    }

    private struct Content {
        var temporaryURL: URL?
        var fileURL: URL?
        var resumeData: Data?
        /// Where this attempt goes on.
        var point: ResumePoint?
        /// Where a retry goes on, if this download is the continuation of another one.
        var retryPoint: ResumePoint?
        /// Why the response cannot continue the file that it was asked to.
        var misfit: HTTPError?
        /// Whether whoever cancels wants to keep what has arrived; `nil` if nobody said.
        var keepsPartialFile: Bool?
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
        var isConcluded = false
        var validators = ResponseValidators<URL?>()
    }

    /// What the download began with.
    public let downloadable: Downloadable
    private let destination: Destination?
    private let content = InlineLocked(Content())

    init(
        _ downloadable: Downloadable, session: Session, interceptor: (any RequestInterceptor)?, resumesAutomatically: Bool? = nil,
        destination: Destination?
    ) {
        self.downloadable = downloadable
        self.destination = destination
        super.init(session: session, interceptor: interceptor, resumesAutomatically: resumesAutomatically)
    }

    /// With what the download can be resumed, once it has failed or was cancelled; `nil` if it cannot.
    ///
    /// It holds the URL and the request's fields, `Authorization` and cookies excepted, and names the partial file in the temporary folder.
    public var resumeData: Data? { content.withLock { $0.resumeData } }
    /// Where the complete file is.
    public var fileURL: URL? { content.withLock { $0.fileURL } }

    /// Where the last response's content went until it was complete.
    var lastTemporaryURL: URL? { content.withLock { $0.temporaryURL } }

    override var needsProgress: Bool { true }

    override func makeInitialRequest() throws -> URLRequest {
        switch downloadable {
        case .request(let convertible): return try convertible.asURLRequest()
        case .resumeData(let data):
            let point = try content.withLock { $0.retryPoint } ?? Self.point(data)
            content.withLock { $0.point = point }
            return point.request
        }
    }

    private static func point(_ data: Data) throws -> ResumePoint {
        do {
            return try ResumePoint(data)
        } catch {
            throw AFError.createURLRequestFailed(
                error: CocoaError(
                    error == .notOurs ? .coderInvalidValue : .fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: error.description]))
        }
    }

    // MARK: Content

    override func disposition(for response: ReceivedResponse, of exchange: Exchange) -> ContentDisposition {
        let point = content.withLock { $0.point }
        switch point?.fit(of: response.head) {
        case .continues?:
            guard let file = try? point?.takeUp() else { return refuse(ResumePoint.fileIsGone(attempting: attempt)) }
            content.withLock { content in
                content.point = nil
                content.temporaryURL = file
            }
            return .file(file, appending: true)
        case .isMismatched?: return refuse(ResumePoint.mismatch(attempting: attempt))
        case .startsOver?: point?.removeFile()
        case nil: break
        }
        let url = TemporaryFile.next()
        content.withLock { content in
            content.point = nil
            content.temporaryURL = url
        }
        return .file(url, appending: false)
    }

    private var attempt: String { lastRequest?.url?.redactedDescription ?? "the download" }

    private func refuse(_ misfit: HTTPError) -> ContentDisposition {
        content.withLock { $0.misfit = misfit }
        return .discard(limit: 0)
    }

    override func takeOver(_ outcome: TransferOutcome, response: ReceivedResponse?) -> TakenOver {
        let (temporaryURL, point, misfit) = content.withLock { ($0.temporaryURL, $0.point, $0.misfit) }
        if let misfit {
            point?.removeFile()
            return .done(.sessionTaskFailed(error: misfit.urlError))
        }
        guard let response, let temporaryURL else {
            // Nothing has arrived; what a continued download began with is still there.
            if let point { keepOrRemove(point) }
            return .done(nil)
        }
        guard outcome.error == nil, !isCancelled else {
            let reached = lastRequest.flatMap {
                outcome.error == nil ? nil : ResumePoint(request: $0, response: response.head, fileURL: temporaryURL)
            }
            if let reached {
                keepOrRemove(reached)
            } else {
                try? FileManager.default.removeItem(at: temporaryURL)
            }
            return .done(nil)
        }
        // A response without content makes no file, but the caller was promised one.
        if !FileManager.default.fileExists(atPath: temporaryURL.path) {
            _ = FileManager.default.createFile(atPath: temporaryURL.path, contents: nil)
        }
        let destination = destination ?? Self.keepingDestination
        let (destinationURL, options) = destination(temporaryURL, response.urlResponse)
        notify { $0.request(self, didCreateDestinationURL: destinationURL) }
        let isMoved: Bool
        do {
            isMoved = try TemporaryFile.move(temporaryURL, to: destinationURL, options: options)
        } catch {
            return .done(didMove(temporaryURL, to: destinationURL, .failure(error)))
        }
        if isMoved { return .done(didMove(temporaryURL, to: destinationURL, .success(()))) }
        return .later { [self] in
            didMove(temporaryURL, to: destinationURL, Result { try TemporaryFile.copy(temporaryURL, to: destinationURL) })
        }
    }

    private func didMove(_ temporaryURL: URL, to destinationURL: URL, _ result: Result<Void, any Error>) -> AFError? {
        switch result {
        case .success:
            content.withLock { $0.fileURL = destinationURL }
            tellMonitors(.success(destinationURL))
            return nil
        case .failure(let error):
            try? FileManager.default.removeItem(at: temporaryURL)
            let error = AFError.downloadedFileMoveFailed(error: error, source: temporaryURL, destination: destinationURL)
            tellMonitors(.failure(error))
            return error
        }
    }

    private func tellMonitors(_ result: Result<URL, AFError>) {
        notifyOfTask { $0.request(self, didFinishDownloadingUsing: $1, with: result) }
    }

    /// A failed download can go on later; one that was cancelled only if whoever cancelled it said so.
    private func keepOrRemove(_ point: ResumePoint) {
        let keeps = content.withLock { $0.keepsPartialFile } ?? !isCancelled
        guard keeps, let data = point.encoded else { return point.removeFile() }
        content.withLock { $0.resumeData = data }
    }

    /// A retry begins with nothing that the attempt before it has left, but for the part of a continued download.
    override func resetForRetry() {
        let (data, fileURL) = content.withLock { content in
            defer {
                content.temporaryURL = nil
                content.fileURL = nil
                content.resumeData = nil
                content.point = nil
                content.misfit = nil
            }
            return (content.resumeData, content.fileURL)
        }
        if let fileURL { try? FileManager.default.removeItem(at: fileURL) }
        guard let data, let point = try? ResumePoint(data) else { return }
        if case .resumeData = downloadable {
            content.withLock { $0.retryPoint = point }
        } else {
            point.removeFile()
        }
    }

    override func validate(_ urlRequest: URLRequest?, _ response: ReceivedResponse) -> AFError? {
        let (validators, fileURL) = content.withLock { ($0.validators, $0.fileURL) }
        guard !validators.isEmpty else { return nil }
        let size = fileURL.flatMap { try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize } ?? 0
        let error = validators.firstFailure(urlRequest, response, fileURL, isEmpty: size == 0)
        notify { monitor in
            let result: ValidationResult = error.map { .failure($0) } ?? .success(())
            monitor.request(
                self, didValidateRequest: urlRequest, response: response.urlResponse, fileURL: fileURL, withResult: result)
        }
        return error
    }

    override func didConclude() {
        // What was given to the request may hold it, or use it when it is let go of: not under the lock.
        let (handlers, validators, resumeData) = content.withLock { content in
            content.isConcluded = true
            return (content.resumeDataHandlers.takeAll(), content.validators.takeAll(), content.resumeData)
        }
        withExtendedLifetime(validators) {}
        for handler in handlers { handler(resumeData) }
    }

    // MARK: Cancelling

    /// Cancels; with `true` what has arrived is kept if the server allows to go on from there, and ``resumeData`` says where it is.
    /// Otherwise, as with ``Request/cancel()``, it is removed.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        content.withLock { $0.keepsPartialFile = shouldProduceResumeData }
        return cancel()
    }

    /// Cancels and calls `completionHandler` once, on the main queue, with what the download can be resumed with, if it can.
    @discardableResult
    @preconcurrency
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (_ data: Data?) -> Void) -> Self {
        let handler: @Sendable (Data?) -> Void = { data in DispatchQueue.main.async { completionHandler(data) } }
        let isConcluded = content.withLock { content in
            content.keepsPartialFile = true
            if !content.isConcluded { content.resumeDataHandlers.append(handler) }
            return content.isConcluded
        }
        cancel()
        if isConcluded { handler(resumeData) }
        return self
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

    /// Fails the request with `unacceptableContentType` unless the response's media type is one of these.
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

    // MARK: Destinations

    /// A destination in a folder of the user's, under the name that the server suggests.
    public class func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory, in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        { temporaryURL, response in
            let folder = FileManager.default.urls(for: directory, in: domain).first
            let url = folder?.appendingPathComponent(SuggestedFilename.of(response)) ?? temporaryURL
            return (url, options)
        }
    }

    /// Without a destination the file stays where it is.
    private static let keepingDestination: Destination = { temporaryURL, _ in (temporaryURL, []) }
}

// SPDX-License-Identifier: MIT

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import HTTPMessages

/// A request whose response is written to a file.
///
/// The content goes to a temporary file first and is moved to its destination when it is complete, in one step that leaves nothing half-written. A
/// download that fails leaves no file, unless it can be resumed: then ``resumeData`` says where it stopped.
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

    /// Says where the complete file goes, whatever the status; called on the engine's thread, before validation. Returning the temporary URL leaves the
    /// file where it is.
    public typealias Destination = @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)
    /// Judges a response; the first failure fails the request.
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
        var point: ResumePoint?
        /// Whether a cancelled download keeps what it has.
        var keepsPartialFile = true
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
        var validators = ResponseValidators<URL?>()
    }

    /// What the download began with.
    public let downloadable: Downloadable
    private let destination: Destination?
    private let content = Locked(Content())

    init(
        _ downloadable: Downloadable, session: Session, interceptor: (any RequestInterceptor)?, resumesAutomatically: Bool? = nil,
        destination: Destination?
    ) {
        self.downloadable = downloadable
        self.destination = destination
        super.init(session: session, interceptor: interceptor, resumesAutomatically: resumesAutomatically)
    }

    /// With what the download can be resumed, once it has failed or was cancelled; `nil` if it cannot.
    public var resumeData: Data? { content.withLock { $0.resumeData } }
    /// Where the complete file is.
    public var fileURL: URL? { content.withLock { $0.fileURL } }

    override var needsProgress: Bool { true }

    override func makeInitialRequest() throws -> URLRequest {
        switch downloadable {
        case .request(let convertible): return try convertible.asURLRequest()
        case .resumeData(let data):
            let point = try ResumePoint(data)
            content.withLock { $0.point = point }
            return point.request
        }
    }

    // MARK: Content

    override func disposition(for response: ReceivedResponse) -> ContentDisposition {
        let point = content.withLock { $0.point }
        if let point, point.continues(in: response.head) {
            content.withLock { $0.temporaryURL = point.fileURL }
            return .file(point.fileURL, appending: true)
        }
        if let point { try? FileManager.default.removeItem(at: point.fileURL) }
        let url = TemporaryFile.next()
        content.withLock { content in
            content.point = nil
            content.temporaryURL = url
        }
        return .file(url, appending: false)
    }

    override func takeOver(_ outcome: TransferOutcome, response: ReceivedResponse?) -> AFError? {
        let (temporaryURL, keepsPartialFile) = content.withLock { ($0.temporaryURL, $0.keepsPartialFile) }
        guard let response, let temporaryURL else { return nil }
        guard outcome.error == nil else {
            keepOrRemove(temporaryURL, response, keeps: keepsPartialFile)
            return nil
        }
        // A response without content makes no file, but the caller was promised one.
        if !FileManager.default.fileExists(atPath: temporaryURL.path) {
            _ = FileManager.default.createFile(atPath: temporaryURL.path, contents: nil)
        }
        let destination = destination ?? Self.keepingDestination
        let (destinationURL, options) = destination(temporaryURL, response.urlResponse)
        notify { $0.request(self, didCreateDestinationURL: destinationURL) }
        do {
            try TemporaryFile.move(temporaryURL, to: destinationURL, options: options)
            content.withLock { $0.fileURL = destinationURL }
            notify { $0.request(self, didFinishDownloadingWith: .success(destinationURL)) }
            return nil
        } catch {
            try? FileManager.default.removeItem(at: temporaryURL)
            let error = AFError.downloadedFileMoveFailed(error: error, source: temporaryURL, destination: destinationURL)
            notify { $0.request(self, didFinishDownloadingWith: .failure(error)) }
            return error
        }
    }

    private func keepOrRemove(_ file: URL, _ response: ReceivedResponse, keeps: Bool) {
        guard keeps, let request = lastRequest, let data = ResumePoint(request: request, response: response.head, fileURL: file)?.encoded else {
            try? FileManager.default.removeItem(at: file)
            return
        }
        content.withLock { $0.resumeData = data }
    }

    override func resetForRetry() {
        content.withLock { content in
            content.temporaryURL = nil
            content.fileURL = nil
            content.resumeData = nil
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

    override func willConclude() {
        let (handlers, resumeData) = content.withLock { content in
            defer { content.resumeDataHandlers = [] }
            return (content.resumeDataHandlers, content.resumeData)
        }
        for handler in handlers { handler(resumeData) }
    }

    // MARK: Cancelling

    /// Cancels; with `false` what has arrived is removed and ``resumeData`` stays `nil`.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        content.withLock { $0.keepsPartialFile = shouldProduceResumeData }
        return cancel()
    }

    /// Cancels and calls `completionHandler`, on the main queue, with what the download can be resumed with.
    @discardableResult
    @preconcurrency
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (_ data: Data?) -> Void) -> Self {
        let isOver = state == .finished
        if !isOver {
            content.withLock { content in
                content.keepsPartialFile = true
                content.resumeDataHandlers.append { data in DispatchQueue.main.async { completionHandler(data) } }
            }
        }
        cancel()
        if isOver {
            let data = resumeData
            DispatchQueue.main.async { completionHandler(data) }
        }
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
        content.withLock { content in
            content.validators.add(.statusCodes { (200..<300).contains($0) })
            content.validators.add(.contentTypes(ResponseValidators<URL?>.acceptedTypes))
        }
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

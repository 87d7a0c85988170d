// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Something that makes what is uploaded, when the upload is about to be sent.
public protocol UploadableConvertible: Sendable {
    /// Called once an upload, not once an attempt: what it returns is sent again by a retry.
    func createUploadable() throws -> UploadRequest.Uploadable
}

/// Something that makes an upload's request and what it sends.
public protocol UploadConvertible: UploadableConvertible & URLRequestConvertible {}

/// A request that sends data, a file, a stream or a form, and collects the response in memory.
public final class UploadRequest: DataRequest, @unchecked Sendable {  // what changes is behind `made`
    /// What is sent.
    public enum Uploadable: @unchecked Sendable {  // a stream is read by the transport alone
        /// Bytes from memory.
        case data(Data)
        /// A file, read while it is sent; `shouldRemove` removes it when the request is over.
        case file(URL, shouldRemove: Bool)
        /// A stream, which can be sent only once.
        case stream(InputStream)
    }

    private struct Made {
        var uploadable: Uploadable?
        var body: HTTPBody?
    }

    /// What makes that which is sent.
    public let upload: any UploadableConvertible
    /// The file manager for files that the upload removes.
    public let fileManager: FileManager
    private let made = Locked(Made())

    init(
        _ upload: any UploadConvertible, session: Session, interceptor: (any RequestInterceptor)?, resumesAutomatically: Bool? = nil,
        fileManager: FileManager
    ) {
        self.upload = upload
        self.fileManager = fileManager
        super.init(upload, session: session, interceptor: interceptor, resumesAutomatically: resumesAutomatically)
    }

    /// What is sent, once it was made; `nil` for a form that is streamed from its parts.
    public var uploadable: Uploadable? { made.withLock { $0.uploadable } }

    override var needsProgress: Bool { true }

    /// Made for the first attempt and kept for the others.
    override func makeBody(for urlRequest: URLRequest) throws -> HTTPBody? {
        if let body = made.withLock({ $0.body }) {
            // A file may have gone since.
            if case .file(let url, _)? = uploadable { return try HTTPBody(contentsOf: url) }
            return body
        }
        do {
            let body: HTTPBody
            if let form = (upload as? MultipartUpload)?.streamedForm {
                body = try form.body()
            } else {
                let uploadable = try upload.createUploadable()
                made.withLock { $0.uploadable = uploadable }
                notify { $0.request(self, didCreateUploadable: uploadable) }
                body =
                    switch uploadable {
                    case .data(let data): HTTPBody(data)
                    case .file(let url, _): try HTTPBody(contentsOf: url)
                    case .stream(let stream): HTTPBody(stream, length: urlRequest.streamLength)
                    }
            }
            made.withLock { $0.body = body }
            return body
        } catch let error as HTTPError {
            throw error.asUploadFailure
        } catch {
            let error = error.asAFError(or: .createUploadableFailed(error: error))
            notify { $0.request(self, didFailToCreateUploadableWithError: error) }
            throw error
        }
    }

    override func didConclude() {
        super.didConclude()
        guard case .file(let url, shouldRemove: true)? = uploadable else { return }
        try? fileManager.removeItem(at: url)
    }
}

extension HTTPError {
    /// A missing file fails as a transfer does, with `URLError.fileDoesNotExist`.
    fileprivate var asUploadFailure: AFError { .sessionTaskFailed(error: urlError) }
}

/// The upload of data, a file or a stream.
struct Upload: UploadConvertible {
    let request: any URLRequestConvertible
    let uploadable: UploadRequest.Uploadable

    func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
    func createUploadable() throws -> UploadRequest.Uploadable { uploadable }
}

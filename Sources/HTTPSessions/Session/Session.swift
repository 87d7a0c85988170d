// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Makes requests and sends them: the owner of connections, cookies, credentials and everything else that requests share.
///
/// A request that is under way is held by its session. When the session is let go of, its requests fail with
/// `AFError.sessionDeinitialized`.
open class Session: @unchecked Sendable {  // what changes is behind `active` and `foundationSession`; subclasses see to theirs
    /// When requests are made.
    public enum RequestSetup: Sendable {
        /// When they are resumed. The default.
        case lazy
        /// When the session is asked for them.
        case eager
    }

    /// Changes a request that was just made, before anything adapts it.
    public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

    /// A session with the default configuration, which lives as long as the process.
    public static let `default` = Session()

    /// The queue whose order the session's events keep. They do not run on it unless the initialiser was given one.
    public let rootQueue: DispatchQueue
    /// Where requests are made and adapted, if the initialiser was given one; the thread that resumes them otherwise.
    public let requestQueue: DispatchQueue
    /// Where response serializers run.
    public let serializationQueue: DispatchQueue
    /// Whether the first response handler resumes a request.
    public let startRequestsImmediately: Bool
    /// When requests are made.
    public let requestSetup: RequestSetup
    /// Adapts and retries every request, before its own interceptor.
    public let interceptor: (any RequestInterceptor)?
    /// Judges the servers' certificates.
    public let serverTrustManager: ServerTrustManager?
    /// Decides about redirects of requests that have no handler of their own.
    public let redirectHandler: (any RedirectHandler)?
    /// Answers challenges to requests that have no handler of their own.
    public let challengeHandler: (any ChallengeHandler)?
    /// What the initialiser got; nobody asks it, since responses are not stored. See ``CachedResponseHandler``.
    public let cachedResponseHandler: (any CachedResponseHandler)?
    /// Hears of every request's events.
    public let eventMonitor: CompositeEventMonitor
    /// Stands for the delegate of a `URLSession`.
    public let delegate: SessionDelegate
    /// A copy of what the session was made with.
    public let sessionConfiguration: URLSessionConfiguration
    /// What a request must not go beyond.
    public let limits: SessionLimits
    /// What sends the session's messages.
    package let transport: any HTTPTransport

    let customRequestQueue: DispatchQueue?
    let cachePolicy: URLRequest.CachePolicy
    let settings: ExchangeSettings
    let path: RequestPath
    /// `nil` if the challenge handler does not want to know of servers' certificates, or the transport cannot show them.
    let serverTrust: ServerTrustQuestions?
    let active = Locked(SlotTable<Request>())
    private let foundationSession = Locked<URLSession?>(nil)

    /// A session over any transport, which it shuts down at its own end: the initialiser that all others call.
    ///
    /// A `rootQueue` that is passed is used for making and adapting requests, unless there is a `requestQueue`; without either this happens
    /// on the thread that resumes a request. `serverTrustManager` is the transport's to ask: pass it to the transport's configuration, too.
    /// `configuration`: copied; its time-outs, fields, cookies and credentials are honoured. What it says of connections is not the
    ///   transport's.
    /// `sendsCredentialsAhead`: whether what a server or proxy has accepted goes ahead of its next challenge, within the protection space.
    ///   Without, every request is challenged first.
    public init(
        transport: any HTTPTransport, configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
        delegate: SessionDelegate = SessionDelegate(), rootQueue: DispatchQueue = Session.makeRootQueue(),
        startRequestsImmediately: Bool = true,
        requestSetup: RequestSetup = .lazy, requestQueue: DispatchQueue? = nil, serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil, serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil, cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = [], limits: SessionLimits = SessionLimits(), challengeHandler: (any ChallengeHandler)? = nil,
        sendsCredentialsAhead: Bool = true
    ) {
        self.transport = transport
        self.delegate = delegate
        self.rootQueue = rootQueue
        self.requestQueue = requestQueue ?? rootQueue
        customRequestQueue = requestQueue ?? (QueueMark.isOwn(rootQueue) ? nil : rootQueue)
        self.serializationQueue = serializationQueue ?? DispatchQueue(label: "openmoya.serialization", attributes: .concurrent)
        self.startRequestsImmediately = startRequestsImmediately
        self.requestSetup = requestSetup
        self.interceptor = interceptor
        self.serverTrustManager = serverTrustManager
        self.redirectHandler = redirectHandler
        self.challengeHandler = challengeHandler
        self.cachedResponseHandler = cachedResponseHandler
        eventMonitor = CompositeEventMonitor(monitors: eventMonitors)
        sessionConfiguration = configuration.copy() as? URLSessionConfiguration ?? configuration
        cachePolicy = configuration.requestCachePolicy
        self.limits = limits
        settings = ExchangeSettings(configuration, over: transport, limits: limits, sendsCredentialsAhead: sendsCredentialsAhead)
        path = RequestPath(settings: settings)
        let asks = challengeHandler?.answersServerTrust == true && transport.capabilities.contains(.serverTrustChallenges)
        serverTrust = asks ? ServerTrustQuestions() : nil
    }

    deinit {
        let requests = active.withLock { active in
            defer { active = SlotTable() }
            return active.all
        }
        for request in requests { request.cancel(with: .sessionDeinitialized) }
        // A session of Foundation's lives until it is told to end.
        DefaultTransport.end(transport)
        if let session = foundationSession.withLock({ $0 }) {
            // On its delegate queue: on Linux, cancelling between a task's last callback and its removal traps.
            session.delegateQueue.addOperation { session.invalidateAndCancel() }
        }
    }

    /// A session of Foundation's with the same configuration; made when somebody first asks. Requests do not go through it unless the
    /// session was made over a `URLSession`.
    public var session: URLSession {
        if let session = DefaultTransport.foundationSession(of: transport) { return session }
        return foundationSession.withLock { session in
            if let session { return session }
            let made = URLSession(configuration: sessionConfiguration)
            session = made
            return made
        }
    }

    // What makes requests is here, since it is open: what an extension holds cannot be overridden.

    // MARK: Data requests

    /// A request for what `convertible` makes; its response is collected in memory.
    open func request(_ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
        request(convertible, interceptor: interceptor, shouldAutomaticallyResume: nil)
    }

    /// The same, with a word on whether the first response handler resumes it; `nil` leaves that to the session.
    open func request(
        _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool?
    ) -> DataRequest {
        prepared(DataRequest(convertible, session: self, interceptor: interceptor, resumesAutomatically: shouldAutomaticallyResume))
    }

    /// A request for a URL, with parameters that `encoding` puts into it.
    open func request(
        _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default, headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier) {
            try encoding.encode($0, with: parameters)
        }
        return request(described, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    /// A request for a URL, with an `Encodable` value that `encoder` puts into it.
    open func request<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default, headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier) { request in
            try parameters.map { try encoder.encode($0, into: request) } ?? request
        }
        return request(described, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    // MARK: Downloads

    /// A request whose response is written to a file; without a destination the file is a temporary one, which is the caller's to remove.
    open func download(
        _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(convertible, interceptor: interceptor, shouldAutomaticallyResume: nil, to: destination)
    }

    /// The same, with a word on whether the first response handler resumes it; `nil` leaves that to the session.
    open func download(
        _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool?,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        prepared(
            DownloadRequest(
                .request(convertible), session: self, interceptor: interceptor, resumesAutomatically: shouldAutomaticallyResume,
                destination: destination))
    }

    /// A download from a URL, with parameters that `encoding` puts into it.
    open func download(
        _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default, headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil, to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier) {
            try encoding.encode($0, with: parameters)
        }
        return download(described, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume, to: destination)
    }

    /// A download from a URL, with an `Encodable` value that `encoder` puts into it.
    open func download<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default, headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier) { request in
            try parameters.map { try encoder.encode($0, into: request) } ?? request
        }
        return download(described, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume, to: destination)
    }

    /// Goes on with a download that stopped; `data` is its ``DownloadRequest/resumeData``.
    open func download(
        resumingWith data: Data, interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        prepared(
            DownloadRequest(
                .resumeData(data), session: self, interceptor: interceptor, resumesAutomatically: shouldAutomaticallyResume,
                destination: destination))
    }

    // MARK: Uploads

    /// Uploads data.
    open func upload(
        _ data: Data, to convertible: any URLConvertible, method: HTTPMethod = .post, headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil, fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return upload(.data(data), with: described, interceptor: interceptor, resumes: shouldAutomaticallyResume, fileManager: fileManager)
    }

    /// Uploads data with a request.
    open func upload(
        _ data: Data, with convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil, fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(.data(data), with: convertible, interceptor: interceptor, resumes: shouldAutomaticallyResume, fileManager: fileManager)
    }

    /// Uploads a file, which is read while it is sent.
    open func upload(
        _ fileURL: URL, to convertible: any URLConvertible, method: HTTPMethod = .post, headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil, fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return upload(
            fileURL, with: described, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager)
    }

    /// Uploads a file with a request.
    open func upload(
        _ fileURL: URL, with convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        upload(fileURL, with: convertible, interceptor: interceptor, shouldAutomaticallyResume: nil)
    }

    /// The same, with a word on whether the first response handler resumes it; `nil` leaves that to the session.
    open func upload(
        _ fileURL: URL, with convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool?, fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            .file(fileURL, shouldRemove: false), with: convertible, interceptor: interceptor, resumes: shouldAutomaticallyResume,
            fileManager: fileManager)
    }

    /// Uploads what a stream gives. It can be sent only once: a redirect, challenge or retry that needs it again fails.
    open func upload(
        _ stream: InputStream, to convertible: any URLConvertible, method: HTTPMethod = .post, headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default, requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return upload(.stream(stream), with: described, interceptor: interceptor, resumes: nil, fileManager: fileManager)
    }

    /// Uploads what a stream gives, with a request. A `Content-Length` that the request sets is the stream's length; without one the
    /// content is sent chunked.
    open func upload(
        _ stream: InputStream, with convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil, fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(.stream(stream), with: convertible, interceptor: interceptor, resumes: shouldAutomaticallyResume, fileManager: fileManager)
    }

    private func upload(
        _ uploadable: UploadRequest.Uploadable, with convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)?,
        resumes: Bool?, fileManager: FileManager
    ) -> UploadRequest {
        prepared(
            UploadRequest(
                Upload(request: convertible, uploadable: uploadable), session: self, interceptor: interceptor,
                resumesAutomatically: resumes, fileManager: fileManager))
    }

    // MARK: Forms

    /// Uploads a form with a request. Below `encodingMemoryThreshold` bytes it is encoded in memory, otherwise streamed from its parts.
    open func upload(
        multipartFormData: MultipartFormData, with request: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            multipartFormData: multipartFormData, with: request, usingThreshold: encodingMemoryThreshold, interceptor: interceptor,
            shouldAutomaticallyResume: nil, fileManager: fileManager)
    }

    /// The same, with a word on whether the first response handler resumes it; `nil` leaves that to the session.
    open func upload(
        multipartFormData: MultipartFormData, with request: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool?, fileManager: FileManager = .default
    ) -> UploadRequest {
        prepared(
            UploadRequest(
                MultipartUpload(multipartFormData, request: request, threshold: encodingMemoryThreshold), session: self,
                interceptor: interceptor, resumesAutomatically: shouldAutomaticallyResume, fileManager: fileManager))
    }

    /// Uploads a form to a URL.
    open func upload(
        multipartFormData: MultipartFormData, to url: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold, method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default, requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let described = DescribedRequest(url: url, method: method, headers: headers, modifier: requestModifier)
        return upload(
            multipartFormData: multipartFormData, with: described, usingThreshold: encodingMemoryThreshold, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume, fileManager: fileManager)
    }

    /// Uploads the form that the closure fills, with a request.
    open func upload(
        multipartFormData: @escaping (MultipartFormData) -> Void, with request: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default
    ) -> UploadRequest {
        let form = MultipartFormData(fileManager: fileManager)
        multipartFormData(form)
        return upload(
            multipartFormData: form, with: request, usingThreshold: encodingMemoryThreshold, interceptor: interceptor,
            fileManager: fileManager)
    }

    /// Uploads the form that the closure fills, to a URL.
    open func upload(
        multipartFormData: @escaping (MultipartFormData) -> Void, to url: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold, method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil, interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let form = MultipartFormData(fileManager: fileManager)
        multipartFormData(form)
        return upload(
            multipartFormData: form, to: url, usingThreshold: encodingMemoryThreshold, method: method, headers: headers,
            interceptor: interceptor, fileManager: fileManager, requestModifier: requestModifier)
    }

    // MARK: Streams

    /// A request whose response is handed on piece by piece.
    open func streamRequest(
        _ convertible: any URLRequestConvertible, automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil
    ) -> DataStreamRequest {
        prepared(
            DataStreamRequest(
                convertible, session: self, interceptor: interceptor, resumesAutomatically: shouldAutomaticallyResume,
                automaticallyCancelOnStreamError: automaticallyCancelOnStreamError))
    }

    /// A stream from a URL.
    open func streamRequest(
        _ convertible: any URLConvertible, method: HTTPMethod = .get, headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false, interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier)
        return streamRequest(
            described, automaticallyCancelOnStreamError: automaticallyCancelOnStreamError, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    /// A stream from a URL, with an `Encodable` value that `encoder` puts into the request.
    open func streamRequest<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default, headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false, interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil, requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let described = DescribedRequest(url: convertible, method: method, headers: headers, modifier: requestModifier) {
            try encoder.encode(parameters, into: $0)
        }
        return streamRequest(
            described, automaticallyCancelOnStreamError: automaticallyCancelOnStreamError, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume)
    }
}

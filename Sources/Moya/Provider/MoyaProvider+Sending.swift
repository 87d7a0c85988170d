// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Everything that a provider asks of its session.

extension ProviderCall {
    /// Sends the request by the session's method for `task`. The method has been called when this returns.
    func send(_ request: URLRequest, by task: Task) {
        let interceptor =
            provider.plugins.isEmpty ? nil : PluginInterceptor(provider.pluginChain, target: target)
        let session = provider.session
        let validation = target.validationType
        switch task {
        case .requestPlain, .requestData, .requestJSONEncodable, .requestCustomJSONEncodable, .requestParameters, .requestCompositeData,
            .requestCompositeParameters:
            run(session.request(request, interceptor: interceptor).accepting(validation), interceptor)
        case .uploadFile(let file):
            run(session.upload(file, with: request, interceptor: interceptor).accepting(validation), interceptor)
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            upload(form, with: request, interceptor)
        case .uploadMultipart(let parts), .uploadCompositeMultipart(let parts, _):
            upload(MultipartFormData(parts: parts), with: request, interceptor)
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination):
            run(session.download(request, interceptor: interceptor, to: destination).accepting(validation), interceptor)
        }
    }

    private func upload(_ form: MultipartFormData, with request: URLRequest, _ interceptor: PluginInterceptor?) {
        guard !form.parts.isEmpty else { return end(.failure(.underlying(MoyaMisuse.emptyMultipartForm, nil)), after: .nothing) }
        // What counts is the method that is sent; the request closure may have changed the endpoint's.
        let method = Moya.Method(rawValue: request.httpMethod ?? "")
        guard method.supportsMultipart else {
            return end(.failure(.underlying(MoyaMisuse.methodWithoutMultipart(method), nil)), after: .nothing)
        }
        let upload = provider.session.upload(
            multipartFormData: RequestMultipartFormData(form), with: request, interceptor: interceptor)
        run(upload.accepting(target.validationType), interceptor)
    }

    private func run(_ request: Request, _ interceptor: PluginInterceptor?) {
        interceptor?.live.connect(to: request)
        if group != nil || recipient.progress != nil { reportProgress(of: request, to: self) }
        request.tellEnd(to: self, handlersAreComplete: true)
        if case .task(let awaited) = recipient.delivery { request.concludes(in: awaited) }
        pending.started(SentTransfer(request: request, work: interceptor?.work))
        request.resume()
    }

    func transferProgressed(_ progress: Progress) {
        let step = ProgressResponse(progress: progress)
        for recipient in progressRecipients {
            guard let block = recipient.progress else { continue }
            recipient.delivery.perform { block(step) }
        }
    }

    func requestIsOver(_ request: Request) {
        end(request.moyaResult, after: .network(request.progressSnapshot(upload: request is UploadRequest)))
    }
}

/// Not a method: a sendable closure must not capture the type of a target.
private func reportProgress(of request: Request, to call: any SessionCall) {
    request.onProgress(upload: request is UploadRequest) { call.transferProgressed($0) }
}

extension Request {
    /// The outcome, for a request that is over.
    fileprivate var moyaResult: Result<Response, MoyaError> {
        let error = error
        guard let received = receivedResponse else {
            return .failure(.underlying(error ?? NSError(domain: NSURLErrorDomain, code: NSURLErrorUnknown), nil))
        }
        let data = (self as? DataRequest)?.data ?? Data()
        let response = Response(data: data, request: lastRequest, received: received)
        if let error { return .failure(.underlying(error, response)) }
        return .success(response)
    }
}

extension DataRequest {
    fileprivate func accepting(_ validation: ValidationType) -> Self {
        switch validation {
        case .none: self
        case .successCodes: validate(statusCode: 200..<300)
        case .successAndRedirectCodes: validate(statusCode: 200..<400)
        case .customCodes(let codes): codes.isEmpty ? self : validate(statusCode: codes)
        }
    }
}

extension DownloadRequest {
    fileprivate func accepting(_ validation: ValidationType) -> Self {
        let codes = validation.statusCodes
        return codes.isEmpty ? self : validate(statusCode: codes)
    }
}

/// A request that a session has, with the plugins that may be at work on it.
private struct SentTransfer: Cancellable, CustomDebugStringConvertible {
    let request: Request
    let work: PluginWork?

    var isCancelled: Bool { request.isCancelled }

    func cancel() {
        request.cancel()
        work?.cancel()
    }

    var debugDescription: String { request.cURLDescription() }
}

extension RequestMultipartFormData {
    /// The form to encode.
    convenience init(_ form: MultipartFormData) {
        self.init(fileManager: form.fileManager, boundary: form.boundary)
        for part in form.parts {
            switch part.provider {
            case .data(let data):
                append(data, withName: part.name, fileName: part.fileName, mimeType: part.mimeType)
            case .file(let url):
                if let fileName = part.fileName, let mimeType = part.mimeType {
                    append(url, withName: part.name, fileName: fileName, mimeType: mimeType)
                } else {
                    append(url, withName: part.name)
                }
            case .stream(let stream, let length):
                append(
                    stream, withLength: length, name: part.name, optionalFileName: part.fileName, optionalMimeType: part.mimeType)
            }
        }
    }
}

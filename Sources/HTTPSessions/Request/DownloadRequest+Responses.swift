// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension DownloadRequest {
    /// Calls `completionHandler` on `queue` (the main queue by default) with what came, unserialized. A retrier is not asked.
    @discardableResult
    @preconcurrency
    public func response(
        queue: DispatchQueue = .main, completionHandler: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void
    ) -> Self {
        add(
            ResponseHandler { request, done in
                guard let request = request as? DownloadRequest else { return }
                let response = DownloadResponse<URL?, AFError>(
                    request: request.request, response: request.response, fileURL: request.fileURL, resumeData: request.resumeData,
                    metrics: request.metrics, serializationDuration: 0,
                    result: request.error.map { .failure($0) } ?? .success(request.fileURL))
                request.notify { $0.request(request, didParseResponse: response) }
                done(.complete { queue.async { completionHandler(response) } })
            })
        return self
    }

    /// Serializes the file on the session's serialization queue, then calls `completionHandler` on `queue` (the main queue by
    /// default).
    @discardableResult
    @preconcurrency
    public func response<Serializer: DownloadResponseSerializerProtocol>(
        queue: DispatchQueue = .main, responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        add(
            ResponseHandler { request, done in
                guard let request = request as? DownloadRequest else { return }
                request.serializationQueue.async {
                    let start = ContinuousClock.now
                    let result = Result {
                        try responseSerializer.serializeDownload(
                            request: request.request, response: request.response, fileURL: request.fileURL, error: request.error)
                    }.mapError { $0.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: $0))) }
                    let response = DownloadResponse(
                        request: request.request, response: request.response, fileURL: request.fileURL, resumeData: request.resumeData,
                        metrics: request.metrics, serializationDuration: (ContinuousClock.now - start) / .seconds(1), result: result)
                    request.notify { $0.request(request, didParseResponse: response) }
                    request.settle(response.error, done: done) { error in
                        let final = error.map { error in response.mapError { _ in error } } ?? response
                        queue.async { completionHandler(final) }
                    }
                }
            })
        return self
    }

    /// Where the file is.
    @discardableResult
    @preconcurrency
    public func responseURL(
        queue: DispatchQueue = .main, completionHandler: @escaping @Sendable (AFDownloadResponse<URL>) -> Void
    ) -> Self {
        response(queue: queue, responseSerializer: URLResponseSerializer(), completionHandler: completionHandler)
    }

    /// The file's content as data.
    @discardableResult
    @preconcurrency
    public func responseData(
        queue: DispatchQueue = .main, dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Data>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: DataResponseSerializer(
                dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyRequestMethods),
            completionHandler: completionHandler)
    }

    /// The file's content as text.
    @discardableResult
    @preconcurrency
    public func responseString(
        queue: DispatchQueue = .main, dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil, emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<String>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: StringResponseSerializer(
                dataPreprocessor: dataPreprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods),
            completionHandler: completionHandler)
    }

    /// The file's content decoded as `T`.
    @discardableResult
    @preconcurrency
    public func responseDecodable<T: Decodable & Sendable>(
        of type: T.Type = T.self, queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<T>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<T>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<T>.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<T>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: DecodableResponseSerializer<T>(
                dataPreprocessor: dataPreprocessor, decoder: decoder, emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods),
            completionHandler: completionHandler)
    }
}

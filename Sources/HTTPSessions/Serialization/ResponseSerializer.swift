// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Turns a response held in memory into a value.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
    /// What comes out.
    associatedtype SerializedObject: Sendable

    /// The value, or an error. Called on the session's serialization queue, once for each attempt.
    ///
    /// `error` is what the request failed with so far; a serializer that has no use for it throws it. An error that is not an
    /// ``AFError`` reaches the caller inside `responseSerializationFailed(reason: .customSerializationFailed(error:))`.
    func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> SerializedObject
}

/// Turns a downloaded file into a value.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
    /// What comes out.
    associatedtype SerializedObject: Sendable

    /// The value, or an error; as ``DataResponseSerializerProtocol/serialize(request:response:data:error:)``.
    func serializeDownload(
        request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
    ) throws -> SerializedObject
}

/// Turns either kind of response into a value, and knows when a response may be empty.
public protocol ResponseSerializer<SerializedObject>: DataResponseSerializerProtocol, DownloadResponseSerializerProtocol {
    /// Applied to content that is not empty, before it is read. Default: ``PassthroughPreprocessor``.
    var dataPreprocessor: any DataPreprocessor { get }
    /// Methods whose responses may be empty. Default: HEAD.
    var emptyRequestMethods: Set<HTTPMethod> { get }
    /// Status codes whose responses may be empty. Default: 204 and 205.
    var emptyResponseCodes: Set<Int> { get }
}

extension ResponseSerializer {
    /// ``PassthroughPreprocessor``.
    public static var defaultDataPreprocessor: any DataPreprocessor { PassthroughPreprocessor() }
    /// HEAD: its response never has content (RFC 9110 section 9.3.2).
    public static var defaultEmptyRequestMethods: Set<HTTPMethod> { [.head] }
    /// 204 and 205: their responses never have content (RFC 9110 sections 15.3.5 and 15.3.6).
    public static var defaultEmptyResponseCodes: Set<Int> { [204, 205] }

    /// ``defaultDataPreprocessor``.
    public var dataPreprocessor: any DataPreprocessor { Self.defaultDataPreprocessor }
    /// ``defaultEmptyRequestMethods``.
    public var emptyRequestMethods: Set<HTTPMethod> { Self.defaultEmptyRequestMethods }
    /// ``defaultEmptyResponseCodes``.
    public var emptyResponseCodes: Set<Int> { Self.defaultEmptyResponseCodes }

    /// Whether the request's method allows an empty response; nil if there is no request or it has no method.
    public func requestAllowsEmptyResponseData(_ request: URLRequest?) -> Bool? {
        request?.method.map(emptyRequestMethods.contains)
    }

    /// Whether the status code allows an empty response; nil if there is no response.
    public func responseAllowsEmptyResponseData(_ response: HTTPURLResponse?) -> Bool? {
        response.map { emptyResponseCodes.contains($0.statusCode) }
    }

    /// Whether the method or the status code allows an empty response.
    public func emptyResponseAllowed(forRequest request: URLRequest?, response: HTTPURLResponse?) -> Bool {
        requestAllowsEmptyResponseData(request) == true || responseAllowsEmptyResponseData(response) == true
    }

    /// Reads the file and serializes its content.
    public func serializeDownload(
        request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
    ) throws -> SerializedObject {
        if let error { throw error }
        guard let fileURL else { throw AFError.responseSerializationFailed(reason: .inputFileNil) }
        let data: Data
        do {
            data = try Data(contentsOf: fileURL)
        } catch {
            throw AFError.responseSerializationFailed(reason: .inputFileReadFailed(at: fileURL))
        }
        return try serialize(request: request, response: response, data: data, error: nil)
    }

    /// The content to read, or nil if there is none and that is allowed.
    /// - Throws: `error`, or `inputDataNilOrZeroLength`, or what the preprocessor throws.
    func content(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> Data? {
        if let error { throw error }
        if let data, !data.isEmpty { return try dataPreprocessor.preprocess(data) }
        guard emptyResponseAllowed(forRequest: request, response: response) else {
            throw AFError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)
        }
        return nil
    }
}

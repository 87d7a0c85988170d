// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Inner: LocalizedError {
    var errorDescription: String? { "the inner sentence" }
}

private let file = URL(fileURLWithPath: "/tmp/some-file")
private let secret = URL(string: "https://user:hunter2@example.com/path?token=hunter2#hunter2")!

private let all: [AFError] = [
    .createUploadableFailed(error: Inner()), .createURLRequestFailed(error: Inner()),
    .downloadedFileMoveFailed(error: Inner(), source: file, destination: file), .explicitlyCancelled, .invalidURL(url: secret),
    .multipartEncodingFailed(reason: .bodyPartURLInvalid(url: secret)),
    .multipartEncodingFailed(reason: .bodyPartFilenameInvalid(in: file)),
    .multipartEncodingFailed(reason: .bodyPartFileNotReachable(at: file)),
    .multipartEncodingFailed(reason: .bodyPartFileNotReachableWithError(atURL: file, error: Inner())),
    .multipartEncodingFailed(reason: .bodyPartFileIsDirectory(at: file)),
    .multipartEncodingFailed(reason: .bodyPartFileSizeNotAvailable(at: file)),
    .multipartEncodingFailed(reason: .bodyPartFileSizeQueryFailedWithError(forURL: file, error: Inner())),
    .multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: file)),
    .multipartEncodingFailed(reason: .outputStreamCreationFailed(for: file)),
    .multipartEncodingFailed(reason: .outputStreamFileAlreadyExists(at: file)),
    .multipartEncodingFailed(reason: .outputStreamURLInvalid(url: secret)),
    .multipartEncodingFailed(reason: .outputStreamWriteFailed(error: Inner())),
    .multipartEncodingFailed(reason: .inputStreamReadFailed(error: Inner())),
    .parameterEncodingFailed(reason: .missingURL), .parameterEncodingFailed(reason: .jsonEncodingFailed(error: Inner())),
    .parameterEncodingFailed(reason: .customEncodingFailed(error: Inner())),
    .parameterEncoderFailed(reason: .missingRequiredComponent(.url)),
    .parameterEncoderFailed(reason: .missingRequiredComponent(.httpMethod(rawValue: "nil"))),
    .parameterEncoderFailed(reason: .encoderFailed(error: Inner())),
    .requestAdaptationFailed(error: Inner()), .requestRetryFailed(retryError: Inner(), originalError: URLError(.timedOut)),
    .responseValidationFailed(reason: .dataFileNil), .responseValidationFailed(reason: .dataFileReadFailed(at: file)),
    .responseValidationFailed(reason: .missingContentType(acceptableContentTypes: ["a/b"])),
    .responseValidationFailed(reason: .unacceptableContentType(acceptableContentTypes: ["a/b"], responseContentType: "c/d")),
    .responseValidationFailed(reason: .unacceptableStatusCode(code: 418)),
    .responseValidationFailed(reason: .customValidationFailed(error: Inner())),
    .responseSerializationFailed(reason: .inputDataNilOrZeroLength), .responseSerializationFailed(reason: .inputFileNil),
    .responseSerializationFailed(reason: .inputFileReadFailed(at: file)),
    .responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf8)),
    .responseSerializationFailed(reason: .jsonSerializationFailed(error: Inner())),
    .responseSerializationFailed(reason: .decodingFailed(error: Inner())),
    .responseSerializationFailed(reason: .customSerializationFailed(error: Inner())),
    .responseSerializationFailed(reason: .invalidEmptyResponse(type: "User")),
    .serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: "h")), .serverTrustEvaluationFailed(reason: .noCertificatesFound),
    .serverTrustEvaluationFailed(reason: .noPublicKeysFound),
    .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: Inner())),
    .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: nil)),
    .serverTrustEvaluationFailed(reason: .hostValidationFailed(host: "h")),
    .serverTrustEvaluationFailed(reason: .certificatePinningFailed(host: "h", pinnedCertificates: [Data()], serverCertificates: [])),
    .serverTrustEvaluationFailed(reason: .publicKeyPinningFailed(host: "h", pinnedKeys: [Data()], serverKeys: [])),
    .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: Inner())),
    .sessionDeinitialized, .sessionInvalidated(error: Inner()), .sessionInvalidated(error: nil), .sessionTaskFailed(error: Inner()),
    .urlRequestValidationFailed(reason: .bodyDataInGETRequest(Data("hunter2".utf8))),
]

@Suite struct AFErrorTests {
    @Test(arguments: all.indices)
    func `each error says a sentence with the inner one's in it and no secret`(index: Int) throws {
        let error = all[index]
        let description = try #require(error.errorDescription)

        #expect(description.hasSuffix(".") || description.contains("the inner sentence"))
        #expect(!description.contains("hunter2"))
        #expect(error.localizedDescription == description)
        #expect((error as NSError).localizedDescription == description)
        if error.underlyingError is Inner {
            #expect(description.contains("the inner sentence"))
        }
    }

    @Test(arguments: all.indices)
    func `exactly one of the case properties holds`(index: Int) {
        let error = all[index]
        let properties: [(Bool, String)] = [
            (error.isCreateUploadableError, "createUploadableFailed"), (error.isCreateURLRequestError, "createURLRequestFailed"),
            (error.isDownloadedFileMoveError, "downloadedFileMoveFailed"), (error.isExplicitlyCancelledError, "explicitlyCancelled"),
            (error.isInvalidURLError, "invalidURL"), (error.isMultipartEncodingError, "multipartEncodingFailed"),
            (error.isParameterEncodingError, "parameterEncodingFailed"), (error.isParameterEncoderError, "parameterEncoderFailed"),
            (error.isRequestAdaptationError, "requestAdaptationFailed"), (error.isRequestRetryError, "requestRetryFailed"),
            (error.isResponseValidationError, "responseValidationFailed"),
            (error.isResponseSerializationError, "responseSerializationFailed"),
            (error.isServerTrustEvaluationError, "serverTrustEvaluationFailed"),
            (error.isSessionDeinitializedError, "sessionDeinitialized"),
            (error.isSessionInvalidatedError, "sessionInvalidated"), (error.isSessionTaskError, "sessionTaskFailed"),
            (error.isURLRequestValidationError, "urlRequestValidationFailed"),
        ]

        #expect(properties.filter(\.0).map(\.1) == [String("\(error)".prefix { $0 != "(" })])
    }

    @Test func `the properties read the payloads`() {
        let status = AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: 418))
        #expect(status.responseCode == 418)
        #expect(status.localizedDescription.contains("418"))

        let type = AFError.responseValidationFailed(
            reason: .unacceptableContentType(acceptableContentTypes: ["a/b"], responseContentType: "c/d"))
        #expect(type.acceptableContentTypes == ["a/b"])
        #expect(type.responseContentType == "c/d")

        let move = AFError.downloadedFileMoveFailed(error: Inner(), source: file, destination: file.appendingPathExtension("x"))
        #expect(move.sourceURL == file)
        #expect(move.destinationURL == file.appendingPathExtension("x"))
        #expect(move.underlyingError is Inner)

        #expect(AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf16)).failedStringEncoding == .utf16)
        #expect(AFError.multipartEncodingFailed(reason: .bodyPartFileIsDirectory(at: file)).url == file)
        #expect(AFError.invalidURL(url: "x").urlConvertible as? String == "x")
        #expect(AFError.requestRetryFailed(retryError: Inner(), originalError: URLError(.timedOut)).underlyingError is Inner)
    }

    @Test func `resume data is found in the transfer's error`() {
        let error = URLError(.networkConnectionLost, userInfo: [AFError.resumeDataKey: Data("resume".utf8)])

        #expect(AFError.sessionTaskFailed(error: error).downloadResumeData == Data("resume".utf8))
        #expect(AFError.sessionTaskFailed(error: URLError(.timedOut)).downloadResumeData == nil)
    }

    @Test func `an error can be asked whether it is one of these`() {
        let error: any Error = AFError.explicitlyCancelled

        #expect(error.asAFError?.isExplicitlyCancelledError == true)
        #expect(Inner().asAFError == nil)
        #expect(Inner().asAFError(or: .sessionDeinitialized).isSessionDeinitializedError)
    }
}

// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AFError {
    /// The first error within, if there is one; for ``requestRetryFailed(retryError:originalError:)`` the retrier's.
    public var underlyingError: (any Error)? {
        switch self {
        case .createUploadableFailed(let error), .createURLRequestFailed(let error), .downloadedFileMoveFailed(let error, _, _),
            .requestAdaptationFailed(let error), .requestRetryFailed(let error, _), .sessionTaskFailed(let error):
            error
        case .sessionInvalidated(let error): error
        case .multipartEncodingFailed(let reason): reason.underlyingError
        case .parameterEncodingFailed(let reason): reason.underlyingError
        case .parameterEncoderFailed(let reason): reason.underlyingError
        case .responseValidationFailed(let reason): reason.underlyingError
        case .responseSerializationFailed(let reason): reason.underlyingError
        case .serverTrustEvaluationFailed(let reason): reason.underlyingError
        case .explicitlyCancelled, .invalidURL, .sessionDeinitialized, .urlRequestValidationFailed: nil
        }
    }

    /// What could not be made a URL.
    public var urlConvertible: (any URLConvertible)? {
        guard case .invalidURL(let url) = self else { return nil }
        return url
    }

    /// The URL of the file, part or output that the error is about.
    public var url: URL? {
        guard case .multipartEncodingFailed(let reason) = self else { return nil }
        return reason.url
    }

    /// The status code that was refused.
    public var responseCode: Int? {
        guard case .responseValidationFailed(.unacceptableStatusCode(let code)) = self else { return nil }
        return code
    }

    /// The media types that would have been accepted.
    public var acceptableContentTypes: [String]? {
        switch self {
        case .responseValidationFailed(.missingContentType(let types)), .responseValidationFailed(.unacceptableContentType(let types, _)):
            types
        default: nil
        }
    }

    /// The media type that was refused.
    public var responseContentType: String? {
        guard case .responseValidationFailed(.unacceptableContentType(_, let type)) = self else { return nil }
        return type
    }

    /// The encoding in which the content is not text.
    public var failedStringEncoding: String.Encoding? {
        guard case .responseSerializationFailed(.stringSerializationFailed(let encoding)) = self else { return nil }
        return encoding
    }

    /// Where the downloaded file was when moving it failed.
    public var sourceURL: URL? {
        guard case .downloadedFileMoveFailed(_, let source, _) = self else { return nil }
        return source
    }

    /// Where the downloaded file was to go.
    public var destinationURL: URL? {
        guard case .downloadedFileMoveFailed(_, _, let destination) = self else { return nil }
        return destination
    }

    /// What a broken download can be resumed with, if the transport left any.
    public var downloadResumeData: Data? {
        (underlyingError as? URLError)?.userInfo[Self.resumeDataKey] as? Data
    }

    /// The key of resume data in a `URLError`; what Apple's `NSURLSessionDownloadTaskResumeData` holds, a constant that Linux lacks.
    package static let resumeDataKey = "NSURLSessionDownloadTaskResumeData"
}

extension AFError.MultipartEncodingFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .bodyPartFileNotReachableWithError(_, let error), .bodyPartFileSizeQueryFailedWithError(_, let error),
            .outputStreamWriteFailed(let error), .inputStreamReadFailed(let error):
            error
        case .bodyPartURLInvalid, .bodyPartFilenameInvalid, .bodyPartFileNotReachable, .bodyPartFileIsDirectory,
            .bodyPartFileSizeNotAvailable, .bodyPartInputStreamCreationFailed, .outputStreamCreationFailed, .outputStreamFileAlreadyExists,
            .outputStreamURLInvalid:
            nil
        }
    }

    var url: URL? {
        switch self {
        case .bodyPartURLInvalid(let url), .bodyPartFilenameInvalid(let url), .bodyPartFileNotReachable(let url),
            .bodyPartFileNotReachableWithError(let url, _), .bodyPartFileIsDirectory(let url), .bodyPartFileSizeNotAvailable(let url),
            .bodyPartFileSizeQueryFailedWithError(let url, _), .bodyPartInputStreamCreationFailed(let url),
            .outputStreamCreationFailed(let url), .outputStreamFileAlreadyExists(let url), .outputStreamURLInvalid(let url):
            url
        case .outputStreamWriteFailed, .inputStreamReadFailed: nil
        }
    }
}

extension AFError.ParameterEncodingFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .jsonEncodingFailed(let error), .customEncodingFailed(let error): error
        case .missingURL: nil
        }
    }
}

extension AFError.ParameterEncoderFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .encoderFailed(let error): error
        case .missingRequiredComponent: nil
        }
    }
}

extension AFError.ResponseValidationFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .customValidationFailed(let error): error
        case .dataFileNil, .dataFileReadFailed, .missingContentType, .unacceptableContentType, .unacceptableStatusCode: nil
        }
    }
}

extension AFError.ResponseSerializationFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .jsonSerializationFailed(let error), .decodingFailed(let error), .customSerializationFailed(let error): error
        case .inputDataNilOrZeroLength, .inputFileNil, .inputFileReadFailed, .stringSerializationFailed, .invalidEmptyResponse: nil
        }
    }
}

extension AFError.ServerTrustFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .trustEvaluationFailed(let error): error
        case .customEvaluationFailed(let error): error
        case .noRequiredEvaluator, .noCertificatesFound, .noPublicKeysFound, .hostValidationFailed, .certificatePinningFailed,
            .publicKeyPinningFailed:
            nil
        }
    }
}

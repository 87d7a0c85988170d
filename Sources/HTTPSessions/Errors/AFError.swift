// SPDX-License-Identifier: MIT

import Foundation

/// What a session or one of its requests failed with.
///
/// A failure of the transfer itself is ``sessionTaskFailed(error:)``. `errorDescription` is one or two sentences that include those of the
/// error within, and show no credentials, user info or query.
public indirect enum AFError: Error, Sendable {
    /// The body to upload could not be made.
    case createUploadableFailed(error: any Error)
    /// A ``URLRequestConvertible`` threw an error that is not an ``AFError``.
    case createURLRequestFailed(error: any Error)
    /// A downloaded file could not be moved to where the destination closure said. Nothing is left at `destination`.
    case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
    /// `cancel()` was called, or the Swift task that awaited the request was cancelled.
    case explicitlyCancelled
    /// The value does not make a URL. Strings and components are stored without user info and query.
    case invalidURL(url: any URLConvertible)
    /// A multipart form could not be written.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// A ``ParameterEncoding`` failed.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// A ``ParameterEncoder`` failed.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// A request adapter failed; nothing was sent.
    case requestAdaptationFailed(error: any Error)
    /// A retrier answered a failure with an error of its own.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// A response was received and refused by a validator.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// A response could not be turned into the value asked for.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The server's certificates were refused; no byte of the request was sent.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
    /// The session was released while the request was under way.
    case sessionDeinitialized
    /// The underlying `URLSession` was invalidated, with this error if there was one.
    case sessionInvalidated(error: (any Error)?)
    /// The transfer failed. The error is a `URLError` with the nearest code; its `NSUnderlyingErrorKey` holds the transport's own error.
    case sessionTaskFailed(error: any Error)
    /// The request must not be sent as it is.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)
}

extension AFError {
    /// Why a multipart form could not be written.
    public enum MultipartEncodingFailureReason: Sendable {
        /// A part was to be read from a URL that is not a file URL.
        case bodyPartURLInvalid(url: URL)
        /// The file name or its extension is missing, so that the part's name and type cannot be derived.
        case bodyPartFilenameInvalid(in: URL)
        /// There is no such file.
        case bodyPartFileNotReachable(at: URL)
        /// Looking for the file failed.
        case bodyPartFileNotReachableWithError(atURL: URL, error: any Error)
        /// The URL names a directory.
        case bodyPartFileIsDirectory(at: URL)
        /// What the URL names has no size: a pipe, a device.
        case bodyPartFileSizeNotAvailable(at: URL)
        /// The file's size could not be read.
        case bodyPartFileSizeQueryFailedWithError(forURL: URL, error: any Error)
        /// The file could not be opened for reading.
        case bodyPartInputStreamCreationFailed(for: URL)
        /// The file to write the form to could not be made.
        case outputStreamCreationFailed(for: URL)
        /// The file to write the form to exists already; it is not touched.
        case outputStreamFileAlreadyExists(at: URL)
        /// The form was to be written to a URL that is not a file URL.
        case outputStreamURLInvalid(url: URL)
        /// Writing the form failed; what was written is removed.
        case outputStreamWriteFailed(error: any Error)
        /// Reading a part failed, or it was not as long as declared (``UnexpectedInputStreamLength``).
        case inputStreamReadFailed(error: any Error)
    }

    /// A part's length differs from the declared one.
    public struct UnexpectedInputStreamLength: Error, Equatable {
        /// The declared length.
        public var bytesExpected: UInt64
        /// The bytes read before reading stopped; more than expected means at least this many.
        public var bytesRead: UInt64

        /// Records both lengths.
        public init(bytesExpected: UInt64, bytesRead: UInt64) {
            self.bytesExpected = bytesExpected
            self.bytesRead = bytesRead
        }
    }

    /// Why a ``ParameterEncoding`` failed.
    public enum ParameterEncodingFailureReason: Sendable {
        /// Parameters were to go into the URL of a request that has none.
        case missingURL
        /// The parameters are not valid JSON, or serialising them failed.
        case jsonEncodingFailed(error: any Error)
        /// An encoding of the caller's failed.
        case customEncodingFailed(error: any Error)
    }

    /// Why a ``ParameterEncoder`` failed.
    public enum ParameterEncoderFailureReason: Sendable {
        /// What an encoder needs of the request.
        public enum RequiredComponent: Sendable {
            /// The URL.
            case url
            /// A method; `rawValue` is what stood in its place.
            case httpMethod(rawValue: String)
        }

        /// The request lacks what the encoder needs.
        case missingRequiredComponent(RequiredComponent)
        /// The encoder for the values failed.
        case encoderFailed(error: any Error)
    }

    /// Why a response was refused.
    public enum ResponseValidationFailureReason: Sendable {
        /// A download has no file to look at.
        case dataFileNil
        /// The downloaded file could not be read.
        case dataFileReadFailed(at: URL)
        /// The response names no media type, and not every type is accepted.
        case missingContentType(acceptableContentTypes: [String])
        /// The response's media type is none of the accepted ones.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The status code is none of the accepted ones.
        case unacceptableStatusCode(code: Int)
        /// A validator of the caller's failed.
        case customValidationFailed(error: any Error)
    }

    /// Why a response could not be turned into a value.
    public enum ResponseSerializationFailureReason: Sendable {
        /// The response has no content, and its status and method do not allow that.
        case inputDataNilOrZeroLength
        /// A download has no file.
        case inputFileNil
        /// The downloaded file could not be read.
        case inputFileReadFailed(at: URL)
        /// The content is not text in this encoding.
        case stringSerializationFailed(encoding: String.Encoding)
        /// The content is not JSON.
        case jsonSerializationFailed(error: any Error)
        /// A decoder failed.
        case decodingFailed(error: any Error)
        /// A serializer of the caller's failed.
        case customSerializationFailed(error: any Error)
        /// The response is rightly empty, but the type, named here, has no empty value (see ``EmptyResponse``).
        case invalidEmptyResponse(type: String)
    }

    /// Why a server's certificates were refused.
    public enum ServerTrustFailureReason: Sendable {
        /// The manager requires an evaluator for each host and has none for this one.
        case noRequiredEvaluator(host: String)
        /// An evaluator pins certificates and has none.
        case noCertificatesFound
        /// An evaluator pins public keys and has none.
        case noPublicKeysFound
        /// The system did not accept the chain. `error` says why, where the system does.
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain is in order but not issued for this host.
        case hostValidationFailed(host: String)
        /// No certificate (DER) of the server's chain is a pinned one.
        case certificatePinningFailed(host: String, pinnedCertificates: [Data], serverCertificates: [Data])
        /// No public key (SubjectPublicKeyInfo, DER) of the server's chain is a pinned one.
        case publicKeyPinningFailed(host: String, pinnedKeys: [Data], serverKeys: [Data])
        /// An evaluator of the caller's failed.
        case customEvaluationFailed(error: any Error)
    }

    /// Why a request must not be sent.
    public enum URLRequestValidationFailureReason: Sendable {
        /// GET with this body. Content in a GET request has no defined meaning, and servers may refuse it (RFC 9110 section 9.3.1).
        case bodyDataInGETRequest(Data)
    }
}

/// The result of a request whose failure is an ``AFError``.
public typealias AFResult<Success> = Result<Success, AFError>

extension Error {
    /// The error as an ``AFError``, if it is one.
    public var asAFError: AFError? { self as? AFError }

    /// The error as an ``AFError``, or another in its place.
    func asAFError(or defaultError: @autoclosure () -> AFError) -> AFError {
        self as? AFError ?? defaultError()
    }
}

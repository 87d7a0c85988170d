// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

extension AFError: LocalizedError {
    /// What was attempted, what was wrong and, where there is one, the way out; never nil.
    public var errorDescription: String? {
        switch self {
        case .createUploadableFailed(let error):
            "The body to upload could not be made: \(error.sentence)"
        case .createURLRequestFailed(let error):
            "The request could not be made: \(error.sentence)"
        case .downloadedFileMoveFailed(let error, let source, let destination):
            "The downloaded file \(source.path) could not be moved to \(destination.path): \(error.sentence)"
        case .explicitlyCancelled:
            "The request was cancelled by its caller."
        case .invalidURL(let url):
            "The text \"\(RedactedURL.redact(Self.text(of: url)))\" is not a valid URL. Escape what a URL cannot hold, such as spaces."
        case .multipartEncodingFailed(let reason):
            "The multipart form could not be encoded: \(reason.sentence)"
        case .parameterEncodingFailed(let reason):
            "The parameters could not be encoded into the request: \(reason.sentence)"
        case .parameterEncoderFailed(let reason):
            "The parameters could not be encoded into the request: \(reason.sentence)"
        case .requestAdaptationFailed(let error):
            "The request could not be adapted by its interceptor and was not sent: \(error.sentence)"
        case .requestRetryFailed(let retryError, let originalError):
            "The request failed (\(originalError.sentence)) and its retrier gave up with an error: \(retryError.sentence)"
        case .responseValidationFailed(let reason):
            "The response was refused: \(reason.sentence)"
        case .responseSerializationFailed(let reason):
            "The response could not be read: \(reason.sentence)"
        case .serverTrustEvaluationFailed(let reason):
            "The server is not trusted and the request was not sent: \(reason.sentence)"
        case .sessionDeinitialized:
            "The session was released while the request was under way. Keep a reference to the session until its requests have completed."
        case .sessionInvalidated(let error?):
            "The session was invalidated while the request was under way: \(error.sentence)"
        case .sessionInvalidated(nil):
            "The session was invalidated while the request was under way. Make a new session to send further requests."
        case .sessionTaskFailed(let error):
            "The transfer failed: \(error.sentence)"
        case .urlRequestValidationFailed(.bodyDataInGETRequest(let body)):
            "The request was not sent: its method is GET and it has a body of \(body.count) bytes. Use another method, or send no body."
        }
    }

    private static func text(of url: any URLConvertible) -> String {
        switch url {
        case let text as String: text
        case let url as URL: url.absoluteString
        case let components as URLComponents: components.string ?? "\(components.host ?? "")\(components.path)"
        default: String(describing: url)
        }
    }
}

extension AFError.MultipartEncodingFailureReason {
    var sentence: String {
        switch self {
        case .bodyPartURLInvalid(let url):
            "a part can only be read from a file, and \(url.redactedDescription) is not a file URL."
        case .bodyPartFilenameInvalid(let url):
            "\(url.path) has no name or no extension to derive the part's file name and type from. Give both when appending the part."
        case .bodyPartFileNotReachable(let url):
            "there is no file at \(url.path)."
        case .bodyPartFileNotReachableWithError(let url, let error):
            "the file at \(url.path) could not be found: \(error.sentence)"
        case .bodyPartFileIsDirectory(let url):
            "\(url.path) is a directory, not a file."
        case .bodyPartFileSizeNotAvailable(let url):
            "\(url.path) has no size, so it is not a plain file. Append it as a stream with its length."
        case .bodyPartFileSizeQueryFailedWithError(let url, let error):
            "the size of \(url.path) could not be read: \(error.sentence)"
        case .bodyPartInputStreamCreationFailed(let url):
            "\(url.path) could not be opened for reading. Check its permissions."
        case .outputStreamCreationFailed(let url):
            "\(url.path) could not be opened for writing. Check that its directory exists and may be written to."
        case .outputStreamFileAlreadyExists(let url):
            "there is a file at \(url.path) already. Remove it first."
        case .outputStreamURLInvalid(let url):
            "it can only be written to a file, and \(url.redactedDescription) is not a file URL."
        case .outputStreamWriteFailed(let error):
            "writing it failed: \(error.sentence)"
        case .inputStreamReadFailed(let error):
            "reading a part failed: \(error.sentence)"
        }
    }
}

extension AFError.UnexpectedInputStreamLength: LocalizedError {
    /// Both lengths in a sentence.
    public var errorDescription: String? {
        bytesRead > bytesExpected
            ? "The part holds more than the \(bytesExpected) bytes declared for it."
            : "The part was declared with \(bytesExpected) bytes and ended after \(bytesRead)."
    }
}

extension AFError.ParameterEncodingFailureReason {
    var sentence: String {
        switch self {
        case .missingURL: "the request has no URL to put them into."
        case .jsonEncodingFailed(let error): "they could not be written as JSON: \(error.sentence)"
        case .customEncodingFailed(let error): "the encoding failed: \(error.sentence)"
        }
    }
}

extension AFError.ParameterEncoderFailureReason {
    var sentence: String {
        switch self {
        case .missingRequiredComponent(.url): "the request has no URL to put them into."
        case .missingRequiredComponent(.httpMethod(let rawValue)): "\"\(rawValue)\" is not a method that says where they go."
        case .encoderFailed(let error): "the encoder failed: \(error.sentence)"
        }
    }
}

extension AFError.ResponseValidationFailureReason {
    var sentence: String {
        switch self {
        case .dataFileNil: "there is no downloaded file to validate."
        case .dataFileReadFailed(let url): "the downloaded file \(url.path) could not be read."
        case .missingContentType(let acceptable):
            "it names no content type, and only \(acceptable.joined(separator: ", ")) would be accepted."
        case .unacceptableContentType(let acceptable, let type):
            "its content type is \(type), and only \(acceptable.joined(separator: ", ")) would be accepted."
        case .unacceptableStatusCode(let code): "its status code \(code) is not one of those accepted."
        case .customValidationFailed(let error): "validating it failed: \(error.sentence)"
        }
    }
}

extension AFError.ResponseSerializationFailureReason {
    var sentence: String {
        switch self {
        case .inputDataNilOrZeroLength: "it has no content where some was expected."
        case .inputFileNil: "there is no downloaded file."
        case .inputFileReadFailed(let url): "the downloaded file \(url.path) could not be read."
        case .stringSerializationFailed(let encoding): "its content is not text in the encoding \(encoding)."
        case .jsonSerializationFailed(let error): "its content is not valid JSON: \(error.sentence)"
        case .decodingFailed(let error): "its content could not be decoded: \(error.sentence)"
        case .customSerializationFailed(let error): "serializing it failed: \(error.sentence)"
        case .invalidEmptyResponse(let type):
            "it is empty, and \(type) has no empty value. Use Empty as the type, or let \(type) conform to EmptyResponse."
        }
    }
}

extension AFError.ServerTrustFailureReason {
    var sentence: String {
        switch self {
        case .noRequiredEvaluator(let host):
            "there is no evaluator for \(host), and each host must have one. Add one, or set allHostsMustBeEvaluated to false."
        case .noCertificatesFound: "its certificates are to be compared with pinned ones, and none are pinned."
        case .noPublicKeysFound: "its public keys are to be compared with pinned ones, and none are pinned."
        case .trustEvaluationFailed(let error?): "its certificate chain was not accepted: \(error.sentence)"
        case .trustEvaluationFailed(nil): "its certificate chain was not accepted."
        case .hostValidationFailed(let host): "its certificate was not issued for \(host)."
        case .certificatePinningFailed(let host, let pinned, let server):
            "none of the \(server.count) certificates of \(host) is one of the \(pinned.count) pinned ones"
                + Self.sight(of: server.first.flatMap { CertificateDER.subjectPublicKeyInfo(of: $0) }) + "."
        case .publicKeyPinningFailed(let host, let pinned, let server):
            "none of the \(server.count) public keys of \(host) is one of the \(pinned.count) pinned ones" + Self.sight(of: server.first)
                + "."
        case .customEvaluationFailed(let error): "evaluating it failed: \(error.sentence)"
        }
    }

    /// What the server showed as its own key; on Linux the hash is that of its SubjectPublicKeyInfo, as pins are written.
    private static func sight(of key: Data?) -> String {
        guard let key, let hash = try? HashFunction.sha256.hash(Array(key)) else { return "" }
        return "; the server's own public key has the SHA-256 hash \(Data(hash).base64EncodedString())"
    }
}

extension Error {
    /// The error's own description, for the end of a sentence.
    fileprivate var sentence: String { localizedDescription }
}

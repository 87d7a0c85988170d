// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension AFError {
    /// A transport's failure in this module's words: a `URLError` with the nearest code, which keeps the failure as its underlying error.
    init(_ error: HTTPError) {
        switch error.kind {
        case .serverTrustRefused:
            let reason = error.underlyingError?.asAFError
            if case .serverTrustEvaluationFailed? = reason, let reason {
                self = reason
            } else {
                self = .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: error))
            }
        case .bodyUnreadable:
            // A form that is streamed fails as one that is encoded first.
            if case .multipartEncodingFailed? = error.underlyingError as? AFError, let reason = error.underlyingError?.asAFError {
                self = reason
            } else {
                self = .sessionTaskFailed(error: error.urlError)
            }
        case .shutDown:
            self = .sessionInvalidated(error: error)
        default:
            self = .sessionTaskFailed(error: error.urlError)
        }
    }
}

extension HTTPError {
    /// Foundation's form of this error, which keeps this one under `NSUnderlyingErrorKey`.
    package var urlError: URLError {
        URLError(urlErrorCode, userInfo: [NSLocalizedDescriptionKey: description, NSUnderlyingErrorKey: self])
    }
}

extension Error {
    /// The transport's own error, wherever it is kept in this one.
    package var httpError: HTTPError? {
        if let error = self as? HTTPError { return error }
        if let error = self as? URLError { return (error.userInfo[NSUnderlyingErrorKey] as? any Error)?.httpError }
        if let error = self as? AFError { return error.underlyingError?.httpError }
        return nil
    }
}

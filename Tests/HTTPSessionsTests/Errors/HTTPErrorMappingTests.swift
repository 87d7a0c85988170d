// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HTTPErrorMappingTests {
    @Test(
        arguments: [
            (.connectFailed, .cannotConnectToHost), (.hostNotFound, .cannotFindHost), (.idleTimedOut, .timedOut),
            (.resourceTimedOut, .timedOut),
            (.connectionLost, .networkConnectionLost), (.malformedResponse, .badServerResponse),
            (.contentTooLarge, .dataLengthExceedsMaximum),
            (.redirectLimitReached, .httpTooManyRedirects), (.unsupportedScheme, .unsupportedURL),
            (.certificateExpired, .serverCertificateHasBadDate),
            (.bodyNotReplayable, .requestBodyStreamExhausted),
        ] as [(HTTPError.Kind, URLError.Code)])
    func `a transport's failure is a URL error that keeps it`(kind: HTTPError.Kind, code: URLError.Code) {
        let error = AFError(HTTPError(kind, attempting: "GET http://a.test/", "for a test"))

        #expect(error.isSessionTaskError)
        #expect((error.underlyingError as? URLError)?.code == code)
        #expect(error.httpError?.kind == kind)
        #expect(error.errorDescription?.contains("for a test") == true)
    }

    @Test func `a transport that is shut down is an invalidated session`() {
        #expect(AFError(HTTPError(.shutDown, attempting: "GET http://a.test/", "for a test")).isSessionInvalidatedError)
    }

    @Test func `a refused chain is the evaluator's own error, if it has one`() {
        let own = AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound)

        let wrapped = AFError(HTTPError(.serverTrustRefused, attempting: "GET https://a.test/", "for a test", underlyingError: own))
        let bare = AFError(HTTPError(.serverTrustRefused, attempting: "GET https://a.test/", "for a test"))

        guard case .serverTrustEvaluationFailed(.noCertificatesFound) = wrapped else {
            Issue.record("another error: \(wrapped)")
            return
        }
        #expect(bare.isServerTrustEvaluationError)
    }

    @Test func `a form's own error is not hidden in the transport's`() {
        let own = AFError.multipartEncodingFailed(
            reason: .inputStreamReadFailed(error: AFError.UnexpectedInputStreamLength(bytesExpected: 2, bytesRead: 3)))

        #expect(
            AFError(HTTPError(.bodyUnreadable, attempting: "POST http://a.test/", "for a test", underlyingError: own))
                .isMultipartEncodingError)
    }
}

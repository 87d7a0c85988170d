// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct RetryPolicyTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private func delay(_ result: RetryResult) -> TimeInterval? {
        switch result {
        case .retryWithDelay(let delay): delay
        case .retry: 0
        case .doNotRetry, .doNotRetryWithError: nil
        }
    }

    private func lost(_ code: URLError.Code) -> AFError {
        .sessionTaskFailed(error: URLError(code))
    }

    @Test func `the defaults are those documented`() {
        let policy = RetryPolicy()

        #expect(policy.retryLimit == 2)
        #expect(policy.exponentialBackoffBase == 2)
        #expect(policy.exponentialBackoffScale == 0.5)
        #expect(Set(policy.retryableHTTPMethods.map(\.rawValue)) == ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"])
        #expect(policy.retryableHTTPStatusCodes == [408, 500, 502, 503, 504])
        #expect(policy.retryableURLErrorCodes.count == 18)
        #expect(RetryPolicy(exponentialBackoffBase: 0).exponentialBackoffBase == 2)
    }

    @Test(arguments: [(0, 0.5), (1, 1), (2, 2), (5, 16), (5000, 3600)])
    func `each delay is twice the one before, up to an hour`(retryCount: Int, expected: TimeInterval) {
        #expect(delay(RetryPolicy().decision(retryCount: retryCount, retryAfter: nil)) == expected)
    }

    @Test(arguments: RetryPolicy.defaultRetryableHTTPStatusCodes.sorted(), [HTTPMethod.get, .post])
    func `the method must allow a retry`(status: Int, method: HTTPMethod) {
        let error = AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: status))

        #expect(RetryPolicy().shouldRetry(method: method, statusCode: status, error: error) == (method == .get))
    }

    @Test func `errors of the connection are retried, wherever the URLError is, and others are not`() {
        let policy = RetryPolicy()

        for code in RetryPolicy.defaultRetryableURLErrorCodes {
            #expect(policy.shouldRetry(method: .get, statusCode: nil, error: lost(code)))
            #expect(policy.shouldRetry(method: .get, statusCode: nil, error: URLError(code)))
        }
        for code in [URLError.Code.badURL, .cancelled, .serverCertificateUntrusted, .unsupportedURL] {
            #expect(!policy.shouldRetry(method: .get, statusCode: nil, error: lost(code)))
        }
        #expect(!policy.shouldRetry(method: .get, statusCode: 404, error: AFError.sessionDeinitialized))
        #expect(!policy.shouldRetry(method: nil, statusCode: 503, error: lost(.timedOut)))
    }

    @Test func `the connection-lost policy retries that alone`() {
        let policy = ConnectionLostRetryPolicy()

        #expect(policy.shouldRetry(method: .get, statusCode: nil, error: lost(.networkConnectionLost)))
        #expect(!policy.shouldRetry(method: .get, statusCode: nil, error: lost(.timedOut)))
        #expect(!policy.shouldRetry(method: .get, statusCode: 503, error: AFError.explicitlyCancelled))
        #expect(!policy.shouldRetry(method: .post, statusCode: nil, error: lost(.networkConnectionLost)))
    }

    @Test(
        arguments: [
            ("5", 5), ("0", 0.5), (" 7 ", 7), ("60", 60), ("61", nil), ("99999999999999999999999", nil),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
            ("Sun, 06 Nov 1994 08:49:27 GMT", 0.5), ("Sun, 06 Nov 1994 09:49:47 GMT", nil), ("soon", 0.5), ("-5", 0.5), ("", 0.5),
            ("1.5", 0.5),
        ] as [(String, TimeInterval?)])
    func `the server's wish to be left alone is honoured up to a minute`(value: String, expected: TimeInterval?) {
        let policy = RetryPolicy(now: { Self.now })

        #expect(delay(policy.decision(retryCount: 0, retryAfter: value)) == expected)
    }

    @Test func `the backoff is the least delay even if the server asks for less`() {
        #expect(delay(RetryPolicy().decision(retryCount: 4, retryAfter: "1")) == 8)
    }

    @Test func `jitter spreads delays between nothing and the whole`() {
        struct Steps: RandomNumberGenerator {
            var state: UInt64 = 0

            mutating func next() -> UInt64 {
                state &+= 0x4000_0000_0000_0000
                return state
            }
        }
        func delays(_ policy: RetryPolicy) -> [TimeInterval?] {
            (0..<8).map { _ in delay(policy.decision(retryCount: 1, retryAfter: nil)) }
        }
        let policy = RetryPolicy(jitter: .full(using: Steps()))
        let spread = delays(policy)

        #expect(spread.allSatisfy { (0...1).contains($0 ?? -1) })
        #expect(Set(spread).count > 2)
        #expect(delays(RetryPolicy(jitter: .full(using: Steps()))) == spread)
        #expect(
            (0..<20).allSatisfy { (0...3600).contains(delay(RetryPolicy(jitter: .full).decision(retryCount: $0, retryAfter: nil)) ?? -1) })
        #expect(delay(policy.decision(retryCount: 0, retryAfter: "30")) == 30)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
            ("Mon, 30 Nov 2026 10:00:00 GMT", 1_796_032_800), ("Friday, 01-Jan-44 00:00:00 GMT", 2_335_219_200),
            ("Friday, 01-Jan-45 00:00:00 GMT", -788_918_400), ("Wed, 29 Feb 2023 00:00:00 GMT", nil),
            ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nvm 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov +994 08:49:37 GMT", nil), ("1994-11-06T08:49:37Z", nil), ("", nil),
        ] as [(String, TimeInterval?)])
    func `dates are read in their three forms`(text: String, seconds: TimeInterval?) {
        #expect(HTTPDate.parse(text, now: Self.now)?.timeIntervalSince1970 == seconds)
    }
}

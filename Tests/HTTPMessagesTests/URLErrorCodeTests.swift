// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLErrorCodeTests {
    @Test(arguments: [
        (HTTPError.Kind.cancelled, URLError.Code.cancelled), (.shutDown, .cancelled), (.hostNotFound, .cannotFindHost),
        (.connectFailed, .cannotConnectToHost), (.connectTimedOut, .timedOut), (.idleTimedOut, .timedOut), (.resourceTimedOut, .timedOut),
        (.connectionLost, .networkConnectionLost), (.noResponse, .networkConnectionLost), (.truncatedContent, .networkConnectionLost),
        (.certificateExpired, .serverCertificateHasBadDate), (.certificateUntrusted, .serverCertificateHasUnknownRoot),
        (.certificateWrongHost, .serverCertificateUntrusted), (.serverTrustRefused, .serverCertificateUntrusted),
        (.tlsFailed, .secureConnectionFailed), (.clientCertificateRejected, .clientCertificateRejected),
        (.unsupportedScheme, .unsupportedURL), (.invalidURL, .badURL), (.redirectLimitReached, .httpTooManyRedirects),
        (.decompressionFailed, .cannotDecodeContentData), (.malformedResponse, .badServerResponse), (.headTooLarge, .badServerResponse),
        (.conflictingContentLength, .badServerResponse), (.contentTooLarge, .dataLengthExceedsMaximum),
        (.credentialsUnusable, .userAuthenticationRequired), (.other, .unknown),
    ])
    func `each kind has the nearest of Foundation's codes`(kind: HTTPError.Kind, code: URLError.Code) {
        #expect(HTTPError(kind, attempting: "GET http://localhost/", "it did not work").urlErrorCode == code)
    }

    @Test func `a file to send that is missing, a directory or not to be read has the code for that`() throws {
        let directory = FileManager.default.temporaryDirectory
        let missing = directory.appendingPathComponent("no-such-file-to-send")

        let missingError = #expect(throws: HTTPError.self) { try HTTPBody(contentsOf: missing) }
        let directoryError = #expect(throws: HTTPError.self) { try HTTPBody(contentsOf: directory) }
        let lockedError = HTTPError(.bodyUnreadable, attempting: "reading", "locked", underlyingError: CocoaError(.fileReadNoPermission))

        #expect(missingError?.urlErrorCode == .fileDoesNotExist)
        #expect(directoryError?.urlErrorCode == .fileIsDirectory)
        #expect(lockedError.urlErrorCode == .noPermissionsToReadFile)
    }

    @Test func `a named pipe is no file to send`() throws {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-pipe-\(UUID().uuidString)")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: pipe) }
        let error = #expect(throws: HTTPError.self) { try HTTPBody(contentsOf: pipe) }
        #expect(error?.kind == .bodyUnreadable)
    }

    @Test(arguments: [(POSIXErrorCode.EACCES, URLError.Code.cannotCreateFile), (.ENOSPC, .cannotWriteToFile)])
    func `a destination that cannot be made differs from one that cannot be written to the end`(posix: POSIXErrorCode, code: URLError.Code)
    {
        let error = HTTPError(.destinationNotWritable, attempting: "GET", "no", underlyingError: POSIXError(posix))

        #expect(error.urlErrorCode == code)
    }
}

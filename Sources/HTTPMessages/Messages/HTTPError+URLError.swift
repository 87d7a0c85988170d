// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPError {
    /// The code of the `URLError` that comes nearest to this failure, for callers who know Foundation's words.
    ///
    /// Several kinds share a code, since Foundation has fewer words; the kind itself stays reachable as the underlying error.
    package var urlErrorCode: URLError.Code {
        switch kind {
        case .invalidURL: .badURL
        case .unsupportedScheme: .unsupportedURL
        case .invalidMethod, .invalidField: .badURL
        case .bodyNotReplayable: .requestBodyStreamExhausted
        case .bodyUnreadable: unreadableFileCode
        case .bodyLengthMismatch: .requestBodyStreamExhausted
        case .hostNotFound: .cannotFindHost
        case .connectFailed, .proxyFailed: .cannotConnectToHost
        case .connectTimedOut, .idleTimedOut, .resourceTimedOut: .timedOut
        case .connectionLost, .noResponse, .truncatedContent: .networkConnectionLost
        case .malformedResponse, .headTooLarge, .conflictingContentLength: .badServerResponse
        case .contentTooLarge: .dataLengthExceedsMaximum
        case .decompressionFailed: .cannotDecodeContentData
        case .tlsFailed: .secureConnectionFailed
        case .certificateUntrusted: .serverCertificateHasUnknownRoot
        case .certificateExpired: .serverCertificateHasBadDate
        case .certificateWrongHost, .serverTrustRefused: .serverCertificateUntrusted
        case .clientCertificateRejected: .clientCertificateRejected
        case .credentialsUnusable: (underlyingError as? URLError)?.code ?? .userAuthenticationRequired
        case .redirectLimitReached: .httpTooManyRedirects
        case .redirectRefused: .redirectToNonExistentLocation
        case .destinationNotWritable: unwritableFileCode
        case .cancelled, .shutDown: .cancelled
        case .unsupportedByTransport: .resourceUnavailable
        default: .unknown
        }
    }

    /// What the system said about the file, if it is among what lies under this error.
    private var unreadableFileCode: URLError.Code {
        switch underlyingError {
        case let error as URLError: return error.code
        case let error as CocoaError where error.code == .fileReadNoPermission: return .noPermissionsToReadFile
        case let error as POSIXError where error.code == .EACCES || error.code == .EPERM: return .noPermissionsToReadFile
        case let error as POSIXError where error.code == .EISDIR: return .fileIsDirectory
        default: return .fileDoesNotExist
        }
    }

    /// What the system said about the file, if it is among what lies under this error.
    private var unwritableFileCode: URLError.Code {
        switch underlyingError {
        case let error as URLError: error.code
        case let error as CocoaError where error.code == .fileNoSuchFile: .cannotCreateFile
        case let error as POSIXError where [.ENOENT, .ENOTDIR, .EACCES, .EPERM, .EISDIR, .EROFS].contains(error.code): .cannotCreateFile
        default: .cannotWriteToFile
        }
    }
}

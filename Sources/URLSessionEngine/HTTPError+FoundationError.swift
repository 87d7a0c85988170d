// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPError {
    /// What Foundation reports for a task, in a transport's words.
    ///
    /// On Linux most failures come with the code “unknown” (or, by its sticky look at `errno`, with a wrong one), and only the text, which
    /// is libcurl's, says what happened; so the text is looked at first.
    static func fromFoundation(_ error: any Error, attempting attempt: String, afterHead: Bool) -> HTTPError {
        let code = (error as? URLError)?.code
        let text = (error as NSError).localizedDescription
        let error = withoutURL(error)
        if let row = byText.first(where: { text.contains($0.fragment) }) {
            return HTTPError(row.kind, attempting: attempt, row.reason, underlyingError: error)
        }
        if let code, let row = byCode[code.rawValue] {
            let kind = row.kind == .noResponse && afterHead ? Kind.connectionLost : row.kind
            return HTTPError(kind, attempting: attempt, row.reason, underlyingError: error)
        }
        return HTTPError(
            .other, attempting: attempt, "URLSession gave up without saying more than “\(text)”", underlyingError: error)
    }

    /// Foundation keeps the URL with the error, its user information and query included.
    private static func withoutURL(_ error: any Error) -> any Error {
        let bare = error as NSError
        guard bare.domain == NSURLErrorDomain else { return error }
        let kept = bare.userInfo.filter { !["NSErrorFailingURLKey", "NSErrorFailingURLStringKey", "NSUnderlyingError"].contains($0.key) }
        let code = (error as? URLError)?.code ?? .unknown
        return URLError(code, userInfo: kept)
    }

    private static let byCode: [Int: (kind: Kind, reason: String)] = {
        let table: [(URLError.Code, Kind, String)] = [
            (.cancelled, .cancelled, "the transfer was cancelled"),
            (.userCancelledAuthentication, .cancelled, "the transfer was cancelled"),
            (.badURL, .invalidURL, "URLSession does not accept the URL"),
            (.unsupportedURL, .unsupportedScheme, "URLSession does not know the URL's scheme"),
            (.cannotFindHost, .hostNotFound, "the name of the host has no address"),
            (.dnsLookupFailed, .hostNotFound, "the name of the host has no address"),
            (.cannotConnectToHost, .connectFailed, "no connection could be made; check the address and that the server runs"),
            (.notConnectedToInternet, .connectFailed, "there is no network connection"),
            (.timedOut, .idleTimedOut, "nothing moved for too long"),
            (.networkConnectionLost, .connectionLost, "the connection was lost before the response was complete"),
            (.badServerResponse, .malformedResponse, "what arrived is not an HTTP response"),
            (.cannotParseResponse, .malformedResponse, "what arrived is not an HTTP response"),
            (.cannotDecodeRawData, .decompressionFailed, "the content coding could not be undone"),
            (.cannotDecodeContentData, .decompressionFailed, "the content coding could not be undone"),
            (.dataLengthExceedsMaximum, .contentTooLarge, "the content is longer than allowed"),
            (.secureConnectionFailed, .tlsFailed, "the TLS handshake failed"),
            (.serverCertificateHasBadDate, .certificateExpired, "the server's certificate has expired"),
            (.serverCertificateNotYetValid, .certificateExpired, "the server's certificate is not yet valid"),
            (.serverCertificateUntrusted, .certificateUntrusted, "the server's certificate is not trusted"),
            (.serverCertificateHasUnknownRoot, .certificateUntrusted, "the server's certificate has no trusted issuer"),
            (.clientCertificateRejected, .clientCertificateRejected, "the server refused the client's certificate"),
            (.clientCertificateRequired, .clientCertificateRejected, "the server wants a certificate of the client's"),
            (.fileDoesNotExist, .bodyUnreadable, "the file to send is not there"),
            (.fileIsDirectory, .bodyUnreadable, "the file to send is a directory"),
            (.noPermissionsToReadFile, .bodyUnreadable, "the file to send may not be read"),
            (.requestBodyStreamExhausted, .bodyNotReplayable, "the body had to be sent again but can be read only once"),
            (.httpTooManyRedirects, .redirectLimitReached, "there were too many redirects"),
        ]
        return Dictionary(table.map { ($0.0.rawValue, ($0.1, $0.2)) }, uniquingKeysWith: { first, _ in first })
    }()

    /// libcurl's texts, the same in 7.81 and in 8.x as far as the fragments go; most specific first.
    private static let byText: [(fragment: String, kind: Kind, reason: String)] = [
        ("bytes remaining to read", .truncatedContent, "the connection was closed before the content was complete"),
        ("with outstanding read data remaining", .truncatedContent, "the connection was closed before the content was complete"),
        ("Empty reply from server", .noResponse, "the server closed the connection without a response"),
        ("Received HTTP/0.9 when not allowed", .malformedResponse, "what arrived is not an HTTP/1.1 response"),
        ("Unsupported HTTP version", .malformedResponse, "the response has an HTTP version that is not known"),
        ("chunked-encoding", .malformedResponse, "the chunked transfer coding is broken"),
        ("chunk hex-length", .malformedResponse, "the chunked transfer coding is broken"),
        ("Header without colon", .malformedResponse, "a field line has no colon"),
        ("Invalid Content-Length", .malformedResponse, "the Content-Length is no number"),
        ("Failed writing header", .malformedResponse, "the head is not one that Foundation can parse"),
        ("Nul byte in header", .malformedResponse, "the head holds a NUL byte"),
        ("Weird server reply", .malformedResponse, "what arrived is not an HTTP response"),
        ("response headers", .headTooLarge, "the response's head is too long"),
        ("Out of memory", .headTooLarge, "a line of the response's head is too long"),
        ("Too long", .headTooLarge, "a line of the response's head is too long"),
        ("content unencoding", .decompressionFailed, "the content coding could not be undone"),
        ("content encoding", .decompressionFailed, "the content coding is not known"),
        ("Could not resolve host", .hostNotFound, "the name of the host has no address"),
        ("Could not resolve proxy", .hostNotFound, "the name of the proxy has no address"),
        ("certificate has expired", .certificateExpired, "the server's certificate has expired"),
        ("certificate is not yet valid", .certificateExpired, "the server's certificate is not yet valid"),
        ("does not match target host name", .certificateWrongHost, "the server's certificate is for another host"),
        ("certificate subject name", .certificateWrongHost, "the server's certificate is for another host"),
        ("SSL certificate problem", .certificateUntrusted, "the server's certificate has no trusted issuer"),
        ("certificate required", .clientCertificateRejected, "the server wants a certificate of the client's"),
        ("CONNECT tunnel failed", .proxyFailed, "the proxy refused the tunnel"),
        ("SSL", .tlsFailed, "the TLS handshake failed, or what came over TLS is broken"),
        ("TLS", .tlsFailed, "the TLS handshake failed, or what came over TLS is broken"),
        ("Connection reset by peer", .connectionLost, "the server reset the connection before the response was complete"),
        ("Broken pipe", .connectionLost, "the server closed the connection while the request was being sent"),
        ("Send failure", .connectionLost, "the connection was lost while the request was being sent"),
        ("Recv failure", .connectionLost, "the connection was lost before the response was complete"),
        ("Connection died", .connectionLost, "the connection was lost before the response was complete"),
        ("Failed sending data", .connectionLost, "the connection was lost while the request was being sent"),
        ("Failure when receiving data", .connectionLost, "the connection was lost before the response was complete"),
        ("Couldn't connect", .connectFailed, "no connection could be made; check the address and that the server runs"),
        ("Failed to connect", .connectFailed, "no connection could be made; check the address and that the server runs"),
    ]
}

// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// What libcurl said of a failure: the underlying error of an ``HTTPError``.
struct CurlFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A `CURLcode`.
    package let code: Int
    /// libcurl's own words.
    package let message: String
    package var description: String { "libcurl \(code): \(message)" }
}

/// What was known of a transfer when libcurl failed, besides its code.
struct FailureContext {
    var message: String
    /// OpenSSL's verdict on the server's chain.
    var verifyResult: Int
    /// Whether a connection stood.
    var isConnected: Bool
    /// Whether the final head has arrived.
    var hasHead: Bool
    /// Whether a proxy may be the cause.
    var usesProxy: Bool
    /// The status with which a proxy refused CONNECT, else 0.
    var connectStatus: Int

    func says(_ words: String...) -> Bool {
        words.contains { message.range(of: $0, options: .caseInsensitive) != nil }
    }
}

/// The one table from libcurl's codes to kinds of ``HTTPError`` and sentences.
enum CurlError {
    /// libcurl quotes a proxy's address that it cannot read, with the credentials that the environment may have put there.
    static func withoutProxy(_ message: String, _ proxy: ProxySettings.Proxy) -> String {
        proxy == .none ? message : message.replacingOccurrences(of: proxy.url, with: "(the proxy's address)")
    }

    static func explain(_ code: CURLcode, _ context: FailureContext) -> (HTTPError.Kind, String) {
        if context.connectStatus >= 300 {
            return (.proxyFailed, "the proxy refused to connect to the server, with status \(context.connectStatus)")
        }
        return switch code {
        case CURLE_URL_MALFORMAT: (.invalidURL, "libcurl cannot read the URL; check its host and port")
        case CURLE_UNSUPPORTED_PROTOCOL:
            context.isConnected
                ? (.malformedResponse, "the response does not begin like one of HTTP/1.0 or newer")
                : (.unsupportedScheme, "the scheme cannot be sent; use an http or https URL")
        case CURLE_COULDNT_RESOLVE_HOST: (.hostNotFound, "the name of the host has no address; check it, and the network")
        case CURLE_COULDNT_RESOLVE_PROXY: (.hostNotFound, "the name of the proxy has no address; check it, and the network")
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            (.connectFailed, "no connection could be made (\(context.message)); check that the server runs and can be reached")
        case CURLE_PROXY: (.proxyFailed, "the proxy could not reach the server (\(context.message))")
        case CURLE_OPERATION_TIMEDOUT: (.connectTimedOut, "libcurl gave up waiting (\(context.message))")
        case CURLE_GOT_NOTHING: (.noResponse, "the server closed the connection without a response")
        case CURLE_PARTIAL_FILE: (.truncatedContent, "the connection was closed before the content was complete")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM: lost(context)
        case CURLE_HTTP2, CURLE_HTTP3: (.malformedResponse, "the server broke the rules of HTTP/2 (\(context.message))")
        case CURLE_WEIRD_SERVER_REPLY:
            context.says("Content-Length")
                ? (.conflictingContentLength, "the response's Content-Length is not a length")
                : (.malformedResponse, "the response is not HTTP (\(context.message))")
        case CURLE_BAD_CONTENT_ENCODING: (.decompressionFailed, "the content's coding cannot be undone (\(context.message))")
        case CURLE_WRITE_ERROR where context.says("encoding"):
            (.decompressionFailed, "the content's coding cannot be undone (\(context.message))")
        // What the engine itself refuses it says itself: this is libcurl's own, of a response that it has made nothing of.
        case CURLE_WRITE_ERROR: (.malformedResponse, "the response is not HTTP (\(context.message))")
        case CURLE_BAD_FUNCTION_ARGUMENT where context.isConnected: (.malformedResponse, "the response is not HTTP (\(context.message))")
        case CURLE_OUT_OF_MEMORY where context.isConnected && !context.hasHead:
            (.headTooLarge, "a line of the response's head is longer than libcurl takes")
        case CURLE_OUT_OF_MEMORY: (.other, "there is not enough memory")
        case CURLcode(rawValue: ccurl_code_too_large) where context.isConnected && !context.hasHead:
            (.headTooLarge, "the response's head is longer than libcurl takes")
        case CURLE_SEND_FAIL_REWIND: (.bodyNotReplayable, "the content must be sent again, but can be read only once")
        case CURLE_PEER_FAILED_VERIFICATION: certificate(context)
        case CURLE_SSL_CACERT_BADFILE: (.tlsFailed, "the configured certificate authorities cannot be read; they must be PEM text")
        case CURLE_SSL_CERTPROBLEM:
            (.clientCertificateRejected, "the client certificate cannot be used (\(context.message)); check its form, key and passphrase")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED: handshake(context)
        case CURLE_SSL_CLIENTCERT: (.clientCertificateRejected, "the server wants a certificate of the client's; configure one")
        default: (.other, "libcurl reports: \(context.message)")
        }
    }

    private static func lost(_ context: FailureContext) -> (HTTPError.Kind, String) {
        if context.says("chunk") {
            return (.malformedResponse, "the content's chunks are not framed as RFC 9112, 7.1, has it (\(context.message))")
        }
        if rejectsClientCertificate(context) { return (.clientCertificateRejected, clientCertificateSentence(context)) }
        if !context.isConnected, context.usesProxy {
            return (.proxyFailed, "the proxy did not let the connection through (\(context.message))")
        }
        return (.connectionLost, "the connection was closed or reset (\(context.message))")
    }

    private static func handshake(_ context: FailureContext) -> (HTTPError.Kind, String) {
        if rejectsClientCertificate(context) { return (.clientCertificateRejected, clientCertificateSentence(context)) }
        return (
            .tlsFailed, "no secure connection could be agreed on (\(context.message)); check that the port speaks TLS, and which versions"
        )
    }

    /// TLS alerts by which a server refuses a client's certificate, or that it has none (RFC 8446, 6.2).
    private static func rejectsClientCertificate(_ context: FailureContext) -> Bool {
        context.says("alert") && context.says("certificate", "unknown ca", "access denied")
    }

    private static func clientCertificateSentence(_ context: FailureContext) -> String {
        "the server refuses the client's certificate, or wants one (\(context.message))"
    }

    /// Numbers of `x509_vfy.h`.
    private static func certificate(_ context: FailureContext) -> (HTTPError.Kind, String) {
        // libcurl compares the host's name itself, before it looks at OpenSSL's verdict.
        if context.says("subject name", "does not match") { return (.certificateWrongHost, "the server's certificate is for another host") }
        return switch context.verifyResult {
        case 9: (.certificateExpired, "the server's certificate is not valid yet; check this machine's clock, too")
        case 10: (.certificateExpired, "the server's certificate has expired; check this machine's clock, too")
        case 62, 63, 64: (.certificateWrongHost, "the server's certificate is for another host")
        case 18, 19:
            (.certificateUntrusted, "the server's certificate is signed by itself; add it to the authorities if it is to be trusted")
        default: (.certificateUntrusted, "the server's certificate has no issuer that is trusted (\(context.message))")
        }
    }
}

extension Transfer {
    /// How the transfer ended, after libcurl has said its word.
    func outcome(of code: CURLcode, _ handle: EasyHandle) -> HTTPError? {
        if hasEnough { return nil }
        if failure == nil { _ = deliverHeldHead() }
        if let failure { return failure }
        guard code != CURLE_OK else {
            // libcurl takes a head without the empty line behind it for complete (7.88).
            return machine.hasHead ? nil : error(.connectionLost, "the connection was closed before the response's head was complete")
        }
        let connectStatus = handle.connectStatus
        if connectStatus == 407, let connectParser, !connectParser.isReading {
            // The challenge is the session's to answer, like a server's.
            parser = connectParser
            return deliverProxyChallenge() ? nil : failure
        }
        let said = handle.errorMessage
        let message = CurlError.withoutProxy(said.isEmpty ? String(cString: curl_easy_strerror(code)) : said, handle.applied.proxy)
        let context = FailureContext(
            message: message, verifyResult: handle.verifyResult, isConnected: !times.isConnecting,
            hasHead: machine.hasHead, usesProxy: handle.applied.proxy != .none, connectStatus: connectStatus)
        let (kind, reason) = CurlError.explain(code, context)
        return error(kind, reason, underlyingError: CurlFailure(code: Int(code.rawValue), message: message))
    }
}
#endif

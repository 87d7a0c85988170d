// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What this transport must refuse, since URLSession would leave it out in silence.
struct TransferRefusals: Sendable {
    private let configuration: TransportConfiguration
    /// For every transfer, whatever its request; known when the transport is made.
    private let always: String?
    #if !canImport(Darwin)
    private let environmentProxy: EnvironmentProxy
    #endif

    init(_ configuration: TransportConfiguration, sessionFault: String?) {
        self.configuration = configuration
        #if !canImport(Darwin)
        environmentProxy = EnvironmentProxy(ProcessInfo.processInfo.environment)
        #endif
        always = sessionFault ?? Self.configurationFault(configuration)
    }

    /// The reason not to send, if there is one.
    func refusal(of request: HTTPRequest, options: TransferOptions) -> HTTPError? {
        if let error = request.validated() { return error }
        guard
            let fault = always ?? optionsFault(request, options) ?? requestFault(request)
                ?? trustFault(request)
        else { return nil }
        return HTTPError(.unsupportedByTransport, attempting: request.redactedDescription, fault)
    }

    private static func configurationFault(_ configuration: TransportConfiguration) -> String? {
        if configuration.unixSocketPath != nil { return "URLSession cannot use Unix-domain sockets; use CurlEngine" }
        if !configuration.resolvedAddresses.isEmpty { return "URLSession cannot be given a host's addresses; use CurlEngine" }
        if configuration.localInterface != nil { return "URLSession cannot be bound to an interface; use CurlEngine" }
        #if canImport(Darwin)
        if case .pem = configuration.tls.clientCertificate?.source {
            return "on this platform a client certificate must be a PKCS#12 archive; convert it with openssl pkcs12 -export"
        }
        return ProxyDictionary.fault(configuration.proxy)
        #else
        switch configuration.proxy {
        case .none, .environment: return nil
        case .proxy, .perScheme:
            return "URLSession on Linux cannot be given a proxy; set http_proxy and use ProxyPolicy.environment, or use CurlEngine"
        }
        #endif
    }

    private func optionsFault(_ request: HTTPRequest, _ options: TransferOptions) -> String? {
        if options.authentication != nil || options.proxyAuthentication != nil {
            return "URLSession cannot be given credentials for NTLM or Negotiate here; use CurlEngine"
        }
        if options.timeouts.connect != nil {
            return "URLSession has no time limit for connecting; leave Timeouts.connect out, Timeouts.idle ends the attempt"
        }
        switch options.versions {
        case .automatic: return nil
        case .http1Only:
            return isSecure(request) ? "URLSession chooses between HTTP/1.1 and HTTP/2 by itself; use CurlEngine" : nil
        case .http2PriorKnowledge: return "URLSession speaks no HTTP/2 without TLS; use CurlEngine"
        }
    }

    private func requestFault(_ request: HTTPRequest) -> String? {
        if request.body?.length != 0, request.body != nil, request.method == "GET" || request.method == "HEAD" {
            return "URLSession sends no content with \(request.method); use another method, or CurlEngine"
        }
        #if !canImport(Darwin)
        // Foundation on Linux turns these into upper case, but methods are case-sensitive (RFC 9110, 9.1).
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"]
        if !known.contains(request.method), known.contains(request.method.uppercased()) {
            return "URLSession turns the method \(request.method) into upper case; use CurlEngine"
        }
        if case .none = configuration.proxy, environmentProxy.applies(to: request.url) {
            return "URLSession on Linux would go through the proxy that the environment names although none is configured; "
                + "use ProxyPolicy.environment, unset http_proxy, or use CurlEngine"
        }
        #endif
        return nil
    }

    private func trustFault(_ request: HTTPRequest) -> String? {
        guard isSecure(request) else { return nil }
        #if !canImport(Darwin)
        let tls = configuration.tls
        if let policy = tls.trustPolicy, let host = request.url.host(percentEncoded: true), policy.judges(host: host) {
            return "URLSession on Linux does not show a server's certificates, so that its trust policy cannot judge them; use CurlEngine"
        }
        if tls.clientCertificate != nil { return "URLSession on Linux has no client certificates; use CurlEngine" }
        if tls.authorities != .system { return "URLSession on Linux trusts the system's authorities only; use CurlEngine" }
        if tls.minimumVersion != .tls1_2 || tls.maximumVersion != nil {
            return "URLSession on Linux chooses the version of TLS by itself, 1.2 or newer; use CurlEngine"
        }
        #endif
        return nil
    }

    private func isSecure(_ request: HTTPRequest) -> Bool {
        request.url.scheme?.lowercased() == "https"
    }
}

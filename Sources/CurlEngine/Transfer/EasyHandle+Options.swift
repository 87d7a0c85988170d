// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

extension EasyHandle {
    /// Sets what this transfer needs; returns why it cannot be sent, if it cannot.
    func apply(_ transfer: Transfer) -> HTTPError? {
        clearErrorMessage()
        begin(logsIn: transfer.options.logsIn)
        ccurl_easy_set_string(easy, CURLOPT_URL, transfer.prepared.url)
        guard applyMethod(of: transfer) == CURLE_OK else {
            return transfer.error(.unsupportedByTransport, "libcurl does not take a method of that length")
        }
        applyFieldLines(of: transfer)
        applyConnection(of: transfer)
        if let setUpProblem { return transfer.error(.unsupportedByTransport, setUpProblem) }
        return nil
    }

    /// libcurl refuses a method of more than 8 MB, and would send another.
    private func applyMethod(of transfer: Transfer) -> CURLcode {
        let shape = transfer.prepared.shape
        if shape != applied.shape || shape == .upload {
            // Also forgets what another shape had set.
            ccurl_easy_set_long(easy, CURLOPT_HTTPGET, 1)
            applied.shape = shape
            switch shape {
            case .get: break
            case .head: ccurl_easy_set_long(easy, CURLOPT_NOBODY, 1)
            case .post: ccurl_easy_set_long(easy, CURLOPT_POST, 1)
            case .upload: ccurl_easy_set_long(easy, CURLOPT_UPLOAD, 1)
            }
        }
        switch shape {
        case .get, .head: break
        case .post: applyContent(of: transfer)
        case .upload: ccurl_easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(transfer.request.body?.length ?? -1))
        }
        let customMethod = transfer.prepared.customMethod
        guard customMethod != nil || applied.hasCustomMethod else { return CURLE_OK }
        applied.hasCustomMethod = customMethod != nil
        return ccurl_easy_set_string(easy, CURLOPT_CUSTOMREQUEST, customMethod)
    }

    /// Points libcurl at the content where it is.
    private func applyContent(of transfer: Transfer) {
        let bytes = transfer.prepared.content
        ccurl_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
        ccurl_easy_set_pointer(easy, CURLOPT_POSTFIELDS, bytes.baseAddress)
    }

    private func applyFieldLines(of transfer: Transfer) {
        let lines = transfer.prepared.fields.lines
        ccurl_easy_set_list(easy, CURLOPT_HTTPHEADER, lines)
        let proxyLines = transfer.prepared.fields.proxyLines
        if proxyLines != nil || applied.hasProxyFieldLines {
            ccurl_easy_set_list(easy, CURLOPT_PROXYHEADER, proxyLines)
            applied.hasProxyFieldLines = proxyLines != nil
        }
    }

    private func applyConnection(of transfer: Transfer) {
        let options = transfer.options
        if options.decodesContent != applied.decodesContent {
            set(CURLOPT_HTTP_CONTENT_DECODING, options.decodesContent ? 1 : 0)
            applied.decodesContent = options.decodesContent
        }
        let versions = transfer.versions
        if versions != applied.versions {
            let version =
                switch versions {
                case .automatic: CURL_HTTP_VERSION_2TLS
                case .http1Only: CURL_HTTP_VERSION_1_1
                case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
                }
            set(CURLOPT_HTTP_VERSION, version)
            applied.versions = versions
        }
        // Where HTTP/2 may be agreed on, a transfer waits for the first connection to find out, rather than to open another at once.
        // Elsewhere it would wait for that connection's first response.
        let waitsToMultiplex = versions == .http2PriorKnowledge || (versions == .automatic && transfer.prepared.isSecure)
        if waitsToMultiplex != applied.waitsToMultiplex {
            set(CURLOPT_PIPEWAIT, waitsToMultiplex ? 1 : 0)
            applied.waitsToMultiplex = waitsToMultiplex
        }
        // From 1 to 256 with 16 in the middle, as HTTP/2 has it (RFC 7540, 5.3.2); a priority out of range counts as normal.
        let weight = 0...1 ~= options.priority ? max(1, Int(options.priority * 32)) : 16
        if weight != applied.weight {
            ccurl_easy_set_long(easy, CURLOPT_STREAM_WEIGHT, weight)
            applied.weight = weight
        }
        if multi.settings.proxies.areUsed {
            let proxies = multi.settings.proxies
            let proxy = transfer.prepared.isSecure ? proxies.https : proxies.http
            if proxy != applied.proxy { apply(proxy) }
        }
        if options.logsIn { applyLogIns(options) }
        let trust = transfer.origin?.trust
        let requirement = transfer.chainRequirement
        if trust !== applied.trust || requirement !== applied.chainRequirement { apply(trust, requirement) }
        // Connections to a Unix-domain socket have no addresses by which a verdict could be kept: none is used twice.
        let forbidsReuse = (trust?.judges == true || requirement != nil) && multi.settings.configuration.unixSocketPath != nil
        if forbidsReuse != applied.forbidsReuse {
            set(CURLOPT_FORBID_REUSE, forbidsReuse ? 1 : 0)
            applied.forbidsReuse = forbidsReuse
        }
    }

    private func apply(_ proxy: ProxySettings.Proxy) {
        set(CURLOPT_PROXY, proxy.url)
        ccurl_easy_set_string(easy, CURLOPT_PROXYUSERNAME, proxy.user)
        ccurl_easy_set_string(easy, CURLOPT_PROXYPASSWORD, proxy.password)
        set(CURLOPT_PROXYAUTH, ccurl_auth_basic)
        applied.proxy = proxy
    }

    /// For a new handle, which serves this transfer only.
    private func applyLogIns(_ options: TransferOptions) {
        if let server = options.authentication {
            set(CURLOPT_HTTPAUTH, bits(of: server))
            set(CURLOPT_USERNAME, server.user)
            set(CURLOPT_PASSWORD, server.password)
        }
        if let proxy = options.proxyAuthentication {
            set(CURLOPT_PROXYAUTH, bits(of: proxy))
            set(CURLOPT_PROXYUSERNAME, proxy.user)
            set(CURLOPT_PROXYPASSWORD, proxy.password)
        }
        if [options.authentication, options.proxyAuthentication].contains(where: { $0?.scheme == .negotiate }) { listenToTickets() }
    }

    private func bits(of authentication: TransportAuthentication) -> Int {
        switch authentication.scheme {
        case .ntlm: ccurl_auth_ntlm
        case .negotiate: ccurl_auth_negotiate
        }
    }

    /// The transfer's connection will be closed at its end.
    func forbidReuse() {
        set(CURLOPT_FORBID_REUSE, 1)
        applied.forbidsReuse = true
    }

    private func apply(_ trust: HostTrust?, _ requirement: ChainRequirement?) {
        let isJudged = trust?.judges == true
        // Where a policy judges the host, its checks are made whatever else was agreed to, unless nothing will be sent anyway.
        let leavesOut = requirement.map { $0.showsOnly || ($0.leavesOutSystemChecks && !isJudged) } ?? false
        set(CURLOPT_SSL_VERIFYPEER, leavesOut || trust?.checks.chain == false ? 0 : 1)
        set(CURLOPT_SSL_VERIFYHOST, leavesOut || trust?.checks.host == false ? 0 : 2)
        setAuthorities(additional: trust?.additionalAuthorities)
        set(CURLOPT_CERTINFO, isJudged || requirement != nil ? 1 : 0)
        set(CURLOPT_FRESH_CONNECT, requirement?.needsNewConnection == true ? 1 : 0)
        applied.trust = trust
        applied.chainRequirement = requirement
    }
}
#endif

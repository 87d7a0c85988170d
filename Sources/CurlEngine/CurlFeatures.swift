// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim

/// What the libcurl that is linked at run time was built with.
struct CurlFeatures: Sendable {
    static let current = CurlFeatures()

    let hasHTTP2: Bool
    let hasUnixSockets: Bool
    let hasNTLM: Bool
    let hasNegotiate: Bool
    /// Whether the first field line of a response must be seen before libcurl stores it. libcurl 7.84 to 8.0.1 keeps a pointer to the last
    /// field of the easy handle's previous response, which it has freed; if the next response's first field line begins with a space,
    /// libcurl unfolds it into that memory (https://github.com/curl/curl/issues/11101). To be removed when 8.1 is the minimum.
    let mistakesFirstFoldedLine: Bool
    /// For `Accept-Encoding`: the content codings that libcurl undoes, the best first (RFC 9110, 12.5.3).
    let acceptedContentCodings: String?

    private init() {
        let features = ccurl_version().map { Int($0.pointee.features) } ?? 0
        func has(_ bit: Int32) -> Bool { features & Int(bit) != 0 }
        let version = ccurl_version().map { $0.pointee.version_num } ?? 0
        mistakesFirstFoldedLine = (0x075400..<0x080100).contains(version)
        hasHTTP2 = has(CURL_VERSION_HTTP2)
        hasUnixSockets = has(CURL_VERSION_UNIX_SOCKETS)
        hasNTLM = has(CURL_VERSION_NTLM)
        hasNegotiate = has(CURL_VERSION_SPNEGO)
        var codings: [String] = []
        if has(CURL_VERSION_BROTLI) { codings.append("br") }
        if has(CURL_VERSION_LIBZ) { codings += ["gzip", "deflate"] }
        if has(CURL_VERSION_ZSTD) { codings.append("zstd") }
        acceptedContentCodings =
            codings.isEmpty
            ? nil
            : codings.enumerated().map { index, coding in "\(coding);q=\(index == 0 ? "1.0" : "0.\(10 - index)")" }.joined(separator: ", ")
    }
}
#endif

// SPDX-License-Identifier: MIT

import Foundation

extension HTTPHeaders {
    /// `Accept-Encoding`, `Accept-Language` and `User-Agent` as this process sends them by default.
    ///
    /// Made once in a process: a later change of the preferred languages is not seen.
    public static let `default`: HTTPHeaders = [.defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent]

    /// ``default`` in the form that `URLSessionConfiguration.httpAdditionalHeaders` takes.
    static let defaultDictionary: [String: String] = HTTPHeaders.default.dictionary
}

extension HTTPHeader {
    /// `Accept-Encoding` with the content codings that the default transport undoes, best first: `br;q=1.0, gzip;q=0.9, deflate;q=0.8` and
    /// on Linux what else libcurl offers. A session over another transport sends that transport's instead.
    public static let defaultAcceptEncoding = HTTPHeader.acceptEncoding(DefaultTransport.acceptedContentCodings ?? "identity")

    /// `Accept-Language` with up to six of the user's preferred languages, best first: `en;q=1.0, fr;q=0.9`; `*` if there are none.
    public static let defaultAcceptLanguage = HTTPHeader.acceptLanguage(languages(Locale.preferredLanguages))

    /// `User-Agent` of the form `<executable>/<version> (<bundle id>; build:<build>; <system> <a.b.c>) <library>/<version>`.
    ///
    /// What a bundle does not say reads `Unknown`; a command-line program on Linux has no bundle.
    public static let defaultUserAgent = HTTPHeader.userAgent(UserAgent.current.value)

    static func languages(_ preferred: [String]) -> String {
        let valid = preferred.filter { tag in
            !tag.isEmpty
                && tag.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
                    default: false
                    }
                }
        }
        return valid.isEmpty ? "*" : valid.prefix(6).qualityValues()
    }
}

extension Collection<String> {
    /// The values as a list in which each is wanted a tenth less than the one before (RFC 9110 section 12.4.2), not below 0.1.
    func qualityValues() -> String {
        enumerated().map { index, value in "\(value);q=\(index == 0 ? "1.0" : "0.\(Swift.max(1, 10 - index))")" }.joined(separator: ", ")
    }
}

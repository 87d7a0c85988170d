// SPDX-License-Identifier: MIT

/// The routes of ``LoopbackAPI``, named once for servers and tests; most behave as their namesakes of httpbin do.
public enum LoopbackRoute: String, Sendable, CaseIterable {
    // MARK: Echo

    /// GET: what came, as JSON: `args`, `headers`, `url`.
    case get = "/get"
    /// POST: what came, as JSON: `args`, `headers`, `url`, `data`, `form`, `files`, `json`.
    case post = "/post"
    /// PUT: as ``post``.
    case put = "/put"
    /// PATCH: as ``post``.
    case patch = "/patch"
    /// DELETE: as ``post``.
    case delete = "/delete"
    /// Any method: as ``post``, with `method`.
    case anything = "/anything"
    /// The fields, as JSON under `headers`.
    case headers = "/headers"
    /// How much came, as JSON: `bytes`, `type`; content of any size.
    case upload = "/upload"
    /// The parts of a multipart form, as JSON under `parts`: `name`, `filename`, `type`, `bytes` and, up to 4096 bytes, `text`.
    case multipart = "/multipart"

    // MARK: Control

    /// Any method: that status. 401 comes with a Basic challenge, a redirect with a Location.
    case status = "/status/{code}"
    /// 302, that many times, then ``get``.
    case redirect = "/redirect/{count}"
    /// A redirect to the query's `url` with its `status_code` (302).
    case redirectTo = "/redirect-to"
    /// The query's items as fields of the response, and as JSON.
    case responseHeaders = "/response-headers"
    /// 503 with `Retry-After: 1` as many times as said, then 200; counted by key.
    case unstable = "/unstable/{key}/{failures}"
    /// A number: as ``anything`` after that many seconds of the API's clock. A word: once the gate of that name opens.
    case delay = "/delay/{gate}"

    // MARK: Credentials

    /// 200 for these Basic credentials, otherwise 401 with a challenge.
    case basicAuth = "/basic-auth/{user}/{password}"
    /// 200 for these Digest credentials (MD5), otherwise 401 with a challenge. The query's `stale_after` says after how many requests a
    /// nonce is stale.
    case digestAuth = "/digest-auth/{qop}/{user}/{password}"
    /// As ``digestAuth``, with the algorithm: MD5, SHA-256 or SHA-512-256.
    case digestAuthWithAlgorithm = "/digest-auth/{qop}/{user}/{password}/{algorithm}"
    /// 200 for any Bearer token but an expired one that ``token`` issued, otherwise 401 with a challenge.
    case bearer = "/bearer"
    /// 200 for a Bearer token that ``token`` issued and that has not expired, otherwise 401 with a challenge.
    case protected = "/protected"
    /// POST: issues an access token and a refresh token (RFC 6749) for `client_credentials`, `password` and `refresh_token`; a refresh
    /// token serves once.
    case token = "/token"

    // MARK: Content

    /// That many bytes that follow from the query's `seed` (0).
    case bytes = "/bytes/{count}"
    /// That many bytes from `abc…z` again and again, with ranges (RFC 9110, 14), `ETag` and `If-Range`.
    case range = "/range/{count}"
    /// The query's `numbytes` (10) asterisks, one at a time: spread over `duration` (2) seconds of the API's clock, or one each time the
    /// gate named by `gate` lets one through.
    case drip = "/drip"
    /// That many lines of JSON, a chunk each.
    case stream = "/stream/{count}"
    /// JSON with gzip's content coding.
    case gzip = "/gzip"
    /// JSON with the deflate content coding.
    case deflate = "/deflate"
    /// 200 with that entity tag; 304 if If-None-Match has it.
    case etag = "/etag/{etag}"
    /// JSON that may be cached for that many seconds; 304 to a conditional request.
    case cache = "/cache/{seconds}"

    // MARK: Cookies

    /// The cookies that came, as JSON under `cookies`.
    case cookies = "/cookies"
    /// Sets the query's items as cookies and redirects to ``cookies``.
    case setCookies = "/cookies/set"
    /// Deletes the cookies that the query names and redirects to ``cookies``.
    case deleteCookies = "/cookies/delete"

    // MARK: A code host's API

    /// A sentence, as text.
    case zen = "/zen"
    /// A user, as JSON.
    case user = "/users/{name}"
    /// A user's repositories, as JSON; 404 for a user called `nobody`.
    case repositories = "/users/{name}/repos"

    /// The request target with values in place of the words in braces, percent-encoded, and with a query that is appended as it is.
    public func target(_ values: String..., query: String? = nil) -> String {
        var values = values[...]
        let path = rawValue.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? Self.escape(values.popFirst() ?? "") : String(segment)
        }
        return "/" + path.joined(separator: "/") + (query.map { "?" + $0 } ?? "")
    }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }

    /// The route that a path belongs to, with the values at the words in braces, decoded.
    static func matching(_ path: String) -> (route: LoopbackRoute, values: [String])? {
        let segments = path.split(separator: "/")
        for (route, pattern) in patterns where pattern.count == segments.count {
            var values: [String] = []
            let isMatch = zip(pattern, segments).allSatisfy { word, segment in
                guard word.hasPrefix("{") else { return word == segment }
                values.append(FormFields.decode(segment, plusIsSpace: false))
                return true
            }
            if isMatch { return (route, values) }
        }
        return nil
    }

    private static let patterns = allCases.map { ($0, $0.rawValue.split(separator: "/")) }
}

// SPDX-License-Identifier: MIT

/// The content codings (RFC 9110 section 8.4.1) that the default transport removes by itself.
package enum ContentCodings {
    /// Names for `Accept-Encoding`, best first. Only what is decoded may be advertised: a server takes the first it knows.
    package static let supported: [String] = ["br", "gzip", "deflate"]
}

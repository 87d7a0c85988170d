// SPDX-License-Identifier: MIT

import Foundation

/// A real server that `Scripts/test-servers` has started for this run; each case's raw value is its name in the file that the script wrote.
///
/// The file's path is in the environment variable `OPENMOYA_TEST_SERVERS`, which `Scripts/test` sets. A test that needs a server says so:
///
///     @Test(.enabled(if: StartedServer.apache.isExpected, "needs Apache: run Scripts/test"))
///
/// so that it is skipped on a machine without the server, and fails in CI.
package enum StartedServer: String, CaseIterable, Sendable {
    /// nginx over HTTP/1.1.
    case http = "HTTP_URL"
    /// nginx over HTTP/1.1 at `::1`; absent where the machine has no IPv6.
    case httpIPv6 = "HTTP_IPV6_URL"
    /// nginx with HTTP/2 and HTTP/1.1, chosen by ALPN.
    case https = "HTTPS_URL"
    /// nginx over TLS without HTTP/2.
    case httpsHTTP1 = "HTTPS_HTTP1_URL"
    /// nginx with nothing newer than TLS 1.2.
    case httpsTLS12 = "HTTPS_TLS12_URL"
    /// nginx with nothing newer than TLS 1.1.
    case httpsTLS11 = "HTTPS_TLS11_URL"
    /// nginx with a certificate that has expired.
    case httpsExpired = "HTTPS_EXPIRED_URL"
    /// nginx with a self-signed certificate.
    case httpsSelfSigned = "HTTPS_SELF_SIGNED_URL"
    /// nginx with a certificate for another host.
    case httpsWrongHost = "HTTPS_WRONG_HOST_URL"
    /// nginx that asks for a client certificate, and answers 400 without one.
    case httpsClientCertificate = "HTTPS_CLIENT_CERTIFICATE_URL"
    /// Apache httpd with Digest and Basic.
    case apache = "APACHE_URL"
    /// Apache httpd with Negotiate, as an origin server, and tickets for it.
    case kerberos = "KERBEROS_URL"
    /// The same Apache as a proxy that answers 407 to requests without a Kerberos ticket.
    case kerberosProxy = "KERBEROS_PROXY_URL"
    /// tinyproxy, open.
    case proxy = "PROXY_URL"
    /// tinyproxy that answers 407 to requests without Basic credentials.
    case proxyWithPassword = "PROXY_PASSWORD_URL"
    /// httpbin under gunicorn.
    case httpbin = "HTTPBIN_URL"
    /// An authorization server made with Authlib, and an API that takes its tokens.
    case oauth = "OAUTH_URL"
    /// oidc-provider-mock, an OpenID Connect provider.
    case openID = "OPENID_URL"
    /// chromedriver, which steers headless Chromium (W3C WebDriver).
    case browser = "BROWSER_URL"

    /// Whether a test that needs this server is to run: the server was started, or this is CI, where its absence is a failure, unless it is
    /// one that not every machine can have.
    package var isExpected: Bool {
        Self.values[rawValue] != nil || (ProcessInfo.processInfo.environment["CI"] != nil && !isOptional)
    }

    private var isOptional: Bool { [.httpIPv6, .kerberos, .kerberosProxy, .browser].contains(self) }

    /// The server's base URL, without a slash at its end.
    package var url: URL {
        get throws {
            let text = try Self.value(rawValue)
            guard let url = URL(string: text) else { throw Missing(name: rawValue) }
            return url
        }
    }

    /// What the file says under `name`, for what is not a server's address: `CA_FILE`, `PASSWORD` (TestServers/README.md has all names).
    package static func value(_ name: String) throws -> String {
        guard let value = values[name] else { throw Missing(name: name) }
        return value
    }

    /// The file whose path stands under `name`: `CA_FILE`, `CLIENT_CERTIFICATE_FILE`, `HTTP_SOCKET`.
    package static func file(_ name: String) throws -> URL {
        URL(fileURLWithPath: try value(name))
    }

    /// Asking for a value that the file does not have.
    package struct Missing: Error, CustomStringConvertible {
        /// The name asked for.
        package let name: String

        /// What to do about it.
        package var description: String {
            "no test server has given \(name): start the servers with Scripts/test-servers, and run the tests with Scripts/test"
        }
    }

    private static let values: [String: String] = {
        guard let path = ProcessInfo.processInfo.environment["OPENMOYA_TEST_SERVERS"],
            let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        else { return [:] }
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return values
    }()
}

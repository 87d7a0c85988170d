// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages

/// As whom a connection is logged in, at the server, at the proxy in between, or at both.
///
/// NTLM and Negotiate log a connection in, and what comes after on it is the same user's; so is what goes through a tunnel that a proxy has
/// opened for somebody's credentials. libcurl uses a connection that Negotiate has logged in for requests without credentials, too, and a
/// tunnel for whoever wants to go to the same server (7.88, checked). Hence connections of one identity are in a multi handle of their own,
/// where no other request looks for one.
struct ConnectionIdentity: Sendable, Hashable {
    let server: TransportAuthentication?
    let proxy: TransportAuthentication?
    /// Whose `Proxy-Authorization` opens the tunnel, in bytes, as strings are equal when they only look the same, too; `nil` without one.
    let tunnel: [UInt8]?

    /// `nil` if nobody is logged in on the connection.
    init?(_ request: HTTPRequest, _ options: TransferOptions, usesProxies: Bool) {
        tunnel = usesProxies ? Self.tunnelUser(of: request).map { Array($0.utf8) } : nil
        guard options.logsIn || tunnel != nil else { return nil }
        server = options.authentication
        proxy = options.proxyAuthentication
    }

    /// Whether Kerberos may be asked for a ticket.
    var takesTickets: Bool { server?.scheme == .negotiate || proxy?.scheme == .negotiate }

    private static func tunnelUser(of request: HTTPRequest) -> String? {
        guard let field = request.fields["Proxy-Authorization"], request.url.scheme?.lowercased() == "https" else { return nil }
        guard field.prefix(7).lowercased() == "digest " else { return field }
        // Each answer of Digest's is another; what stays is who gives it, and where (RFC 7616, 3.4).
        return parameters(of: field.dropFirst(7)).filter { parameter in
            let name = parameter.prefix { $0 != "=" && $0 != " " && $0 != "*" }.lowercased()
            return name == "username" || name == "realm"
        }.joined(separator: ",")
    }

    /// What commas outside of quotes separate.
    private static func parameters(of text: Substring) -> [String] {
        var (parameters, isQuoted, isEscaped) = ([""], false, false)
        for character in text {
            if character == ",", !isQuoted {
                parameters.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && character == "\\"
            if isQuoted || character != " " { parameters[parameters.count - 1].append(character) }
        }
        return parameters
    }
}
#endif

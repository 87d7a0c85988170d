// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages

/// As whom a connection is logged in, at the server, at the proxy in between, or at both.
///
/// NTLM and Negotiate log a connection in, and what comes after on it is the same user's. libcurl uses a connection that Negotiate has logged in for
/// requests without credentials, too, and a tunnel for whoever wants to go to the same server (7.88, checked). Hence connections of one identity are
/// in a multi handle of their own, where no other request looks for one.
struct ConnectionIdentity: Sendable, Hashable {
    let server: TransportAuthentication?
    let proxy: TransportAuthentication?

    /// Whether Kerberos may be asked for a ticket.
    var takesTickets: Bool { server?.scheme == .negotiate || proxy?.scheme == .negotiate }
}

extension TransferOptions {
    /// `nil` for transfers whose connection nobody is logged in on.
    var identity: ConnectionIdentity? {
        authentication == nil && proxyAuthentication == nil ? nil : ConnectionIdentity(server: authentication, proxy: proxyAuthentication)
    }
}
#endif

// SPDX-License-Identifier: MIT

import Foundation

/// A port of loopback on which nobody listens, so that connecting to it is refused, for as long as this object lives.
///
/// The port of a server that was closed is no such port: the next server may get it.
public final class UnusedPort: Sendable {
    private let socket: ListeningSocket

    /// Takes a port that nobody has.
    /// - Throws: ``TestServerError`` if the system has no socket or port left.
    public init() throws { socket = try ListeningSocket(unusedOn: .ipv4) }

    deinit { close(socket.descriptor) }

    /// Its number.
    public var number: Int { socket.port }

    /// `http://127.0.0.1:<number>` with this path and query.
    ///
    /// `target` must be fit for a URL as it stands.
    public func url(_ target: String = "/") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(number)\(target)") else {
            preconditionFailure("“\(target)” is no path and query of a URL; percent-encode it")
        }
        return url
    }
}

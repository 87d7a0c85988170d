// SPDX-License-Identifier: MIT

import Foundation

/// The one certificate chain that a transfer takes from its server, byte for byte: what somebody was shown, and has agreed to.
///
/// A connection that shows another one ends the transfer before anything is sent, with ``HTTPError/Kind/serverTrustRefused`` around
/// ``ChainNotAccepted``. What a trust policy says of the host holds besides: a requirement never takes the place of a pin.
package final class ChainRequirement: Sendable {
    /// No chain is accepted, and none is checked: the server is only to show it.
    package static let showOnly = ChainRequirement(chain: [], leavesOutSystemChecks: true, needsNewConnection: true)

    /// DER certificates, the server's own first.
    package let chain: [Data]
    /// Whether the system's verdict does not count, unless a trust policy judges the host.
    package let leavesOutSystemChecks: Bool
    /// Whether connections that stand already are left alone.
    package let needsNewConnection: Bool

    package init(chain: [Data], leavesOutSystemChecks: Bool, needsNewConnection: Bool = false) {
        self.chain = chain
        self.leavesOutSystemChecks = leavesOutSystemChecks
        self.needsNewConnection = needsNewConnection
    }

    /// Whether it is ``showOnly``.
    package var showsOnly: Bool { chain.isEmpty }

    /// The same, for a connection that is made for it.
    package var onNewConnection: ChainRequirement {
        ChainRequirement(chain: chain, leavesOutSystemChecks: leavesOutSystemChecks, needsNewConnection: true)
    }
}

/// A server showed another chain than the one that was required of it.
package struct ChainNotAccepted: Error, CustomStringConvertible {
    /// DER certificates, the server's own first; `nil` if the connection stood already and nobody has seen what it showed.
    package let chain: [Data]?

    package init(chain: [Data]?) { self.chain = chain }

    package var description: String { "nobody has agreed to the certificates that the server shows" }
}

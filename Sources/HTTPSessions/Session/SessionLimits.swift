// SPDX-License-Identifier: MIT

/// What a session's requests must not go beyond.
public struct SessionLimits: Sendable, Hashable {
    /// Bytes of content that one response may put into memory. Default: 256 MiB; download more into a file, or stream it.
    public var collectedBytes = 268_435_456
    /// Redirects that one request follows. Default: 20, as browsers do.
    public var redirects = 20

    /// The defaults.
    public init() {}
}

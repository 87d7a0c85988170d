// SPDX-License-Identifier: MIT

/// How long to wait between two requests for a device's token (RFC 8628, 3.5); a value without IO.
struct DevicePolling: Sendable {
    enum Decision: Sendable {
        case ask(after: Duration)
        case fail(OAuth2ClientError)
    }

    /// Every `slow_down` adds this.
    static let step = Duration.seconds(5)
    /// A server that is asked less often than this has forgotten the device.
    static let longestInterval = Duration.seconds(300)

    private(set) var interval: Duration

    /// What the server says, within reason; 5 s if it says nothing (RFC 8628, 3.2), and also for what is no interval.
    static func interval(_ seconds: Double?) -> Duration {
        guard let seconds, seconds > 0 else { return step }
        return max(.seconds(1), min(.seconds(seconds), longestInterval))
    }

    mutating func answered(_ error: OAuth2ClientError) -> Decision {
        switch error.kind {
        case .authorizationPending: return .ask(after: interval)
        case .slowDown:
            interval = min(interval + Self.step, Self.longestInterval)
            return .ask(after: interval)
        case .timedOut, .unreachable:
            // Exponential backoff where the network fails; the person may still be at it.
            interval = min(interval * 2, Self.longestInterval)
            return .ask(after: interval)
        default: return .fail(error)
        }
    }
}

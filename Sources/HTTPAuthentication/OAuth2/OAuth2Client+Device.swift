// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension OAuth2Client {
    /// Begins a log-in of a device that has no browser: gets the code that it shows (RFC 8628, 3.1).
    /// - Parameters:
    ///   - scopes: what the token is to be good for; empty leaves that to the server.
    ///   - additionalParameters: what the server wants besides, such as `audience`.
    public func deviceAuthorization(
        scopes: Set<String> = [], additionalParameters: [String: String] = [:]
    ) async throws(OAuth2ClientError) -> OAuth2DeviceAuthorization {
        let begin = options.now()
        let answer = try await post(
            Self.scope(scopes) + (try checked(additionalParameters)), to: server.deviceAuthorizationEndpoint,
            named: "device authorization endpoint", "The request for a device's code", hiding: [])
        return try answer.deviceAuthorization(scopes: scopes, requestedAt: begin)
    }

    /// Asks for the device's token until the person has decided (RFC 8628, 3.4 and 3.5).
    ///
    /// It asks for the first time after the interval, less often when the server says so or cannot be reached, and no more after the
    /// code's end. Cancelling the task ends the wait.
    /// - Throws: ``OAuth2ClientError``: of kind ``OAuth2ClientError/Kind/accessDenied`` if the person says no,
    ///   ``OAuth2ClientError/Kind/expiredToken`` if the code ends first.
    public func token(for device: OAuth2DeviceAuthorization) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        let attempt = "The request for a device's token"
        var polling = DevicePolling(interval: device.interval)
        var wait = device.interval
        while true {
            do {
                try await options.clock.sleep(for: wait)
            } catch {
                throw OAuth2ClientError(.cancelled, attempting: attempt, "it was cancelled")
            }
            guard options.now() < device.expiryDate else {
                throw OAuth2ClientError(
                    .expiredToken, attempting: attempt, "the code has ended before the person decided; begin again with a new code")
            }
            do {
                return try await requestToken(
                    [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.deviceCode)],
                    scopes: device.scopes, attempt, hiding: [device.deviceCode])
            } catch {
                switch polling.answered(error) {
                case .ask(let after): wait = after
                case .fail(let error): throw error
                }
            }
        }
    }
}

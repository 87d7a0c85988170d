// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What a device shows so that a person lets it in from another device (RFC 8628, 3.2). It does not print its code.
public struct OAuth2DeviceAuthorization: Sendable {
    /// What the person types at ``verificationURL``; it has no control characters.
    public let userCode: String
    /// Where the person goes.
    public let verificationURL: URL
    /// The same with the code in it, for a QR code or a link; `nil` if the server gives none.
    public let completeVerificationURL: URL?
    /// When the code ends.
    public let expiryDate: Date
    /// The least time between two requests for the token.
    public let interval: Duration
    let deviceCode: String
    let scopes: Set<String>
}

extension OAuth2DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the person goes, without any code.
    public var description: String { "OAuth2DeviceAuthorization(\(verificationURL.redactedDescription), until \(expiryDate))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["authorization": description], displayStyle: .struct) }
}

extension OAuth2Answer {
    private struct Device: Decodable {
        let device_code: String
        let user_code: String
        let verification_uri: String
        let verification_uri_complete: String?
        let expires_in: Seconds
        let interval: Seconds?
    }

    /// The codes in the answer of a device authorization endpoint.
    func deviceAuthorization(scopes: Set<String>, requestedAt begin: Date) throws(OAuth2ClientError) -> OAuth2DeviceAuthorization {
        try check()
        let device = try decode(Device.self, "a device authorization")
        guard !device.device_code.isEmpty, !device.user_code.isEmpty, HarmlessText.isHarmless(device.user_code) else {
            throw error(.malformedResponse, "a code in the answer is empty, or has characters that cannot be shown")
        }
        func page(_ text: String) throws(OAuth2ClientError) -> URL {
            guard HarmlessText.isHarmless(text), let url = URL(string: text), Origin(url: url) != nil else {
                throw error(.malformedResponse, "the address that the person is to go to is not an http or https URL")
            }
            return url
        }
        guard device.expires_in.value > 0 else { throw error(.expiredOnArrival, "the device's code has ended already; try again") }
        return OAuth2DeviceAuthorization(
            userCode: device.user_code, verificationURL: try page(device.verification_uri),
            completeVerificationURL: try device.verification_uri_complete.map { text throws(OAuth2ClientError) in try page(text) },
            expiryDate: begin.addingTimeInterval(min(device.expires_in.value, 86_400 * 365)),
            interval: DevicePolling.interval(device.interval?.value), deviceCode: device.device_code, scopes: scopes)
    }
}

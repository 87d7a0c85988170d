// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

/// The transport of all clients that were given none. It has nobody's settings, certificates or credentials, and lives as long as the
/// process.
private let sharedTransport = DefaultTransport.make()

extension OAuth2Client {
    /// A client over the platform's engine, whose connections it shares with other clients made like this.
    public init(
        clientID: String, authentication: OAuth2ClientAuthentication = .none, server: OAuth2AuthorizationServer,
        options: Options = Options()
    ) {
        self.init(clientID: clientID, authentication: authentication, server: server, transport: sharedTransport, options: options)
    }
}

extension OAuth2AuthorizationServer {
    /// Reads what a server tells about itself, over the platform's engine; see `discover(issuer:by:through:options:)`.
    public static func discover(
        issuer: URL, by documents: [MetadataDocument] = MetadataDocument.allCases, options: OAuth2Client.Options = OAuth2Client.Options()
    ) async throws(OAuth2ClientError) -> OAuth2AuthorizationServer {
        try await discover(issuer: issuer, by: documents, through: sharedTransport, options: options)
    }
}

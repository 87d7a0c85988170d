// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

extension OAuth2Client {
    /// A client over a transport of the platform's engine of its own.
    public init(
        clientID: String, authentication: OAuth2ClientAuthentication = .none, server: OAuth2AuthorizationServer,
        options: Options = Options()
    ) {
        self.init(
            clientID: clientID, authentication: authentication, server: server, transport: DefaultTransport.make(), options: options)
    }
}

extension OAuth2AuthorizationServer {
    /// Reads what a server tells about itself, over a transport of the platform's engine; see `discover(issuer:by:through:options:)`.
    public static func discover(
        issuer: URL, by documents: [MetadataDocument] = MetadataDocument.allCases, options: OAuth2Client.Options = OAuth2Client.Options()
    ) async throws(OAuth2ClientError) -> OAuth2AuthorizationServer {
        let transport = DefaultTransport.make()
        defer { transport.shutDown(cancellingTransfers: true) }
        return try await discover(issuer: issuer, by: documents, through: transport, options: options)
    }
}

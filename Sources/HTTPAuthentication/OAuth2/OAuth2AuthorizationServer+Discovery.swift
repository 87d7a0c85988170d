// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension OAuth2AuthorizationServer {
    /// Where servers tell about themselves.
    public enum MetadataDocument: Sendable, Hashable, CaseIterable {
        /// `/.well-known/oauth-authorization-server`, in front of the issuer's path (RFC 8414, 3.1).
        case oauth2
        /// `/.well-known/openid-configuration`, behind the issuer's path (OpenID Connect Discovery, 4.1).
        case openIDConnect
    }

    /// Reads what a server tells about itself.
    /// - Parameters:
    ///   - issuer: how the server calls itself. Its own word for that has to be the same, letter for letter (RFC 8414, 3.3).
    ///   - documents: which to ask for, in this order; the next one only where there is none (404 or 410). Default: both, RFC 8414's first.
    ///   - transport: what sends the requests; it is not shut down.
    ///   - options: how long to wait, and whether http may be used.
    public static func discover(
        issuer: URL, by documents: [MetadataDocument] = MetadataDocument.allCases, through transport: any HTTPTransport,
        options: OAuth2Client.Options = OAuth2Client.Options()
    ) async throws(OAuth2ClientError) -> OAuth2AuthorizationServer {
        try await discover(
            issuer: issuer, by: documents, OAuth2Exchange(sender: TransportMessageSender(transport: transport), options: options))
    }

    private static func discover(
        issuer: URL, by documents: [MetadataDocument], _ exchange: OAuth2Exchange
    ) async throws(OAuth2ClientError) -> OAuth2AuthorizationServer {
        let attempt = "The discovery of the authorization server"
        var missing: OAuth2ClientError?
        for document in documents {
            guard let url = document.url(of: issuer) else {
                throw OAuth2ClientError(
                    .invalidArgument, attempting: attempt, "the issuer is not an absolute https URL without query and fragment")
            }
            let answer = try await exchange.send(
                OAuth2Message(url: url), attempting: "\(attempt) at \(url.redactedDescription)", hiding: [])
            if [404, 410].contains(answer.head.status) {
                missing = answer.error(
                    .unexpectedStatus, "the answer has status \(answer.head.status); check the issuer, or give the endpoints yourself")
                continue
            }
            return try server(in: answer, issuer: issuer.absoluteString, exchange)
        }
        throw missing ?? OAuth2ClientError(.invalidArgument, attempting: attempt, "no document was named to read")
    }

    /// RFC 8414, 2; what is not needed here is not read.
    private struct Metadata: Decodable {
        let issuer: String
        let authorization_endpoint: String?
        let token_endpoint: String?
        let device_authorization_endpoint: String?
        let revocation_endpoint: String?
        let authorization_response_iss_parameter_supported: Bool?
        let token_endpoint_auth_methods_supported: [String]?
        let scopes_supported: [String]?
    }

    private static func server(
        in answer: OAuth2Answer, issuer: String, _ exchange: OAuth2Exchange
    ) throws(OAuth2ClientError) -> OAuth2AuthorizationServer {
        try answer.check()
        let metadata = try answer.decode(Metadata.self, "a server's metadata")
        guard metadata.issuer == issuer else {
            throw answer.error(
                .issuerMismatch,
                "the document is of another issuer, “\(HarmlessText.make(RedactedURL.redact(metadata.issuer), limit: 200))”; if that one is meant, "
                    + "ask for it, spelled like this")
        }
        func endpoint(_ text: String?, _ name: String) throws(OAuth2ClientError) -> URL? {
            guard let text else { return nil }
            guard let url = URL(string: text) else { throw answer.error(.malformedResponse, "\(name) in the document is not a URL") }
            try exchange.check(url, "\(answer.attempt), with \(name) at \(url.redactedDescription),")
            return url
        }
        return OAuth2AuthorizationServer(
            issuer: metadata.issuer, authorizationEndpoint: try endpoint(metadata.authorization_endpoint, "authorization_endpoint"),
            tokenEndpoint: try endpoint(metadata.token_endpoint, "token_endpoint"),
            deviceAuthorizationEndpoint: try endpoint(metadata.device_authorization_endpoint, "device_authorization_endpoint"),
            revocationEndpoint: try endpoint(metadata.revocation_endpoint, "revocation_endpoint"),
            namesIssuerInRedirects: metadata.authorization_response_iss_parameter_supported ?? false,
            clientAuthenticationMethods: metadata.token_endpoint_auth_methods_supported.map(Set.init),
            scopes: metadata.scopes_supported.map(Set.init))
    }
}

extension OAuth2AuthorizationServer.MetadataDocument {
    func url(of issuer: URL) -> URL? {
        guard let origin = Origin(url: issuer), issuer.query == nil, issuer.fragment == nil, issuer.user == nil else { return nil }
        // The slash at an issuer's end is not part of its path here (RFC 8414, 3.1; OpenID Connect Discovery, 4.1).
        var path = issuer.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        switch self {
        case .oauth2: return URL(string: "\(origin)/.well-known/oauth-authorization-server\(path)")
        case .openIDConnect: return URL(string: "\(origin)\(path)/.well-known/openid-configuration")
        }
    }
}

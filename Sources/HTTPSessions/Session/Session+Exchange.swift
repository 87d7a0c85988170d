// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Session {
    /// - Throws: `AFError.createURLRequestFailed` if the request has no URL; what its cache policy calls for.
    func makeExchange(_ urlRequest: URLRequest, body: HTTPBody?, for request: Request) throws -> Exchange {
        guard var message = HTTPRequest(urlRequest, body: body) else {
            throw AFError.createURLRequestFailed(error: URLError(.badURL))
        }
        // Foundation does not tell whether a policy was set, so its default stands for the configuration's.
        try message.honour(urlRequest.cachePolicy == .useProtocolCachePolicy ? cachePolicy : urlRequest.cachePolicy)
        let options = TransferOptions(timeouts: settings.timeouts(for: urlRequest), reportsProgress: request.needsProgress)
        // Connections are the session's, and so is the handler that agrees to servers.
        let inquiry = serverTrust.flatMap { questions in
            challengeHandler.map { ServerTrustInquiry(questions, asking: HandledChallenges($0, for: request)) }
        }
        return Exchange(
            message, options: options, handlesCookies: urlRequest.httpShouldHandleCookies, mainDocumentURL: urlRequest.mainDocumentURL,
            path: path, transport: transport, owner: request, inquiry: inquiry)
    }
}

extension ExchangeSettings {
    /// What the configuration says, and what only the session knows.
    init(
        _ configuration: URLSessionConfiguration, over transport: any HTTPTransport, limits: SessionLimits, sendsCredentialsAhead: Bool
    ) {
        self.init(configuration, acceptedContentCodings: transport.acceptedContentCodings)
        redirectLimit = limits.redirects
        proxy = transport.proxy
        if !sendsCredentialsAhead { credentials = CredentialsCache(sendsAhead: false) }
        transportSchemes = Self.transportSchemes(of: transport.capabilities)
    }
}

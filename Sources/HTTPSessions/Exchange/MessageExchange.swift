// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whom a ``MessageExchange`` belongs to: asked on the transport's thread, so answer at once or later, and never block.
package protocol MessageExchangeDelegate: ChallengeResponder {
    /// Whether nothing is to be sent or received for the time being.
    var isHeld: Bool { get }
    /// Hands `decide` the request to follow a redirect with; `nil` delivers the redirecting response.
    func decide(
        aboutRedirectTo request: URLRequest, from response: HTTPURLResponse, _ decide: @escaping @Sendable (URLRequest?) -> Void)
    /// The response that is delivered has arrived; the answer says where its content goes.
    func exchangeDidReceive(_ response: ReceivedResponse) -> ContentDisposition
    /// A piece of content arrived for ``ContentDisposition/stream``.
    func exchangeDidReceive(content bytes: Data) -> ContentDemand
    /// Content that can be read only once has to be sent again: `supply` takes it anew, `nil` if there is none.
    func exchangeNeedsNewBody(_ supply: @escaping @Sendable (HTTPBody?) -> Void)
    /// Bytes moved.
    func exchangeDidProgress(_ progress: TransferProgress)
    /// The end, exactly once.
    func exchangeDidFinish(_ outcome: TransferOutcome)
}

/// One request with its redirects and challenges, for session types of other modules; ``Session`` builds on the same ``Exchange``.
package final class MessageExchange: Sendable {
    private let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    /// Sends the first message; called once.
    package func start() { exchange.start() }
    /// Ends as cancelled, unless it has ended.
    package func cancel() { exchange.cancel() }
    /// Stops sending and receiving, or goes on, as the owner's ``MessageExchangeDelegate/isHeld`` says; call it after each change.
    package func steer() { exchange.steer() }
    /// The disposition that was put off with ``ContentDisposition/wait``.
    package func decide(_ disposition: ContentDisposition) { exchange.decide(disposition) }
    /// Content is wanted again after a pause.
    package func requestMoreContent() { exchange.requestMoreContent() }
}

/// What exchanges of one session share: the transport, cookies and the session's fields.
package final class ExchangeService: Sendable {
    private let transport: any HTTPTransport
    /// How the engine was told to connect.
    package let connections: TransportConfiguration
    private let settings: ExchangeSettings
    private let path: RequestPath
    /// `nil` if the transport cannot show servers' certificates.
    private let serverTrust: ServerTrustQuestions?

    /// Exchanges over `transport`, or over the platform's engine.
    ///
    /// Nothing is sent ahead of a challenge, and no credential storage is asked.
    /// - Parameter connections: how the engine connects; by default as `configuration` says.
    package init(configuration: URLSessionConfiguration, connections: TransportConfiguration? = nil, transport: (any HTTPTransport)? = nil)
    {
        let connections = connections ?? TransportConfiguration(configuration)
        self.connections = connections
        self.transport = transport ?? DefaultTransport.make(connections, sessionConfiguration: configuration)
        var settings = ExchangeSettings(configuration, acceptedContentCodings: self.transport.acceptedContentCodings)
        settings.credentials = CredentialsCache(sendsAhead: false)
        settings.credentialStorage = nil
        settings.proxy = connections.proxy
        settings.transportSchemes = ExchangeSettings.transportSchemes(of: self.transport.capabilities)
        self.settings = settings
        path = RequestPath(settings: settings)
        serverTrust = self.transport.capabilities.contains(.serverTrustChallenges) ? ServerTrustQuestions() : nil
    }

    deinit { transport.shutDown(cancellingTransfers: true) }

    /// What the transport can do.
    package var capabilities: TransportCapabilities { transport.capabilities }

    /// - Throws: ``HTTPError`` if the request has no URL.
    /// - Parameters:
    ///   - body: what is sent instead of the request's own body.
    ///   - asksAboutServers: whether the delegate is asked about servers' certificates.
    package func exchange(
        _ urlRequest: URLRequest, body: HTTPBody?, priority: Float, reportsProgress: Bool, asksAboutServers: Bool = false,
        delegate: any MessageExchangeDelegate
    ) throws(HTTPError) -> MessageExchange {
        guard let message = HTTPRequest(urlRequest, body: body) else {
            throw HTTPError(.invalidURL, attempting: "a request without a URL", "it has no URL")
        }
        let options = TransferOptions(timeouts: settings.timeouts(for: urlRequest), reportsProgress: reportsProgress, priority: priority)
        let owner = MessageExchangeOwner(delegate)
        return MessageExchange(
            Exchange(
                message, options: options, handlesCookies: urlRequest.httpShouldHandleCookies, mainDocumentURL: urlRequest.mainDocumentURL,
                path: path, transport: transport, owner: owner,
                inquiry: asksAboutServers ? serverTrust.map { ServerTrustInquiry($0, asking: delegate) } : nil))
    }

    /// Closes what is idle; transfers under way end by themselves or, if `cancellingTransfers`, at once.
    package func shutDown(cancellingTransfers: Bool) { transport.shutDown(cancellingTransfers: cancellingTransfers) }
}

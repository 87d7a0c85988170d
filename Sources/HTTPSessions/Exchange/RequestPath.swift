// SPDX-License-Identifier: MIT

import HTTPAuthentication
import HTTPMessages

/// The way of a message: the stages that it passes on its way out, first to last, and its response on its way in, last to first.
///
/// Start reading here. Above these stages stands ``Request``, which makes the message, adapts it, retries it and validates and serializes
/// what comes back; below them stands the ``HTTPTransport``. A stage changes the message, or says what has to follow a response; it does no
/// IO.
///
/// ```
/// Request ── DefaultFields ── Cookies ── Credentials ── Redirects ── HTTPTransport ── server
/// ```
struct RequestPath: Sendable {
    let stages: [any ExchangeStage]

    init(settings: ExchangeSettings) {
        var stages: [any ExchangeStage] = [DefaultFields(settings.defaultFields)]
        if let storage = settings.cookieStorage {
            stages.append(Cookies(storage, sends: settings.sendsCookies, acceptPolicy: settings.cookieAcceptPolicy))
        }
        stages.append(Credentials(settings))
        stages.append(Redirects(limit: settings.redirectLimit))
        self.stages = stages
    }

    func prepare(_ message: inout HTTPRequest, options: inout TransferOptions, in exchange: Exchange) {
        for index in stages.indices {
            stages[index].prepare(&message, options: &options, in: exchange)
        }
    }

    /// The first follow-up that a stage calls for. Every stage sees the head, since some only take note of it.
    func followUp(to head: HTTPResponseHead, of message: HTTPRequest, in exchange: Exchange) -> FollowUp {
        var decision = FollowUp.deliver
        for index in stages.indices.reversed() {
            let followUp = stages[index].followUp(to: head, of: message, in: exchange)
            if case .deliver = decision { decision = followUp }
        }
        return decision
    }
}

/// One job on a message's way.
protocol ExchangeStage: Sendable {
    /// Changes the message before it is sent; called for every message of an exchange, each time with what the caller asked for.
    func prepare(_ message: inout HTTPRequest, options: inout TransferOptions, in exchange: Exchange)

    /// What the response calls for. `message` is what was sent.
    func followUp(to head: HTTPResponseHead, of message: HTTPRequest, in exchange: Exchange) -> FollowUp
}

extension ExchangeStage {
    func prepare(_ message: inout HTTPRequest, options: inout TransferOptions, in exchange: Exchange) {}
    func followUp(to head: HTTPResponseHead, of message: HTTPRequest, in exchange: Exchange) -> FollowUp { .deliver }
}

/// What comes after a response's head.
enum FollowUp: Sendable {
    /// The response is the answer.
    case deliver
    /// This message is sent to where the response points.
    case redirect(HTTPRequest)
    /// The same message is sent again; ``Credentials`` adds the answer to the response's challenge to it.
    case answer
    /// Somebody else decides, later.
    case ask(@Sendable (_ decide: @escaping @Sendable (FollowUp) -> Void) -> Void)
    /// The exchange fails.
    case fail(HTTPError)
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Sends one request to an authorization server and sees to what can go wrong on the way.
struct OAuth2Exchange: Sendable {
    private enum Ending: Sendable {
        case answered(head: HTTPResponseHead, content: Data)
        case failed(any Error)
        case timedOut
    }

    let sender: any OAuth2MessageSending
    let options: OAuth2Client.Options

    /// - Parameters:
    ///   - attempt: what this is, with the endpoint, for errors.
    ///   - secrets: what must not come back in the server's words.
    func send(
        _ message: OAuth2Message, attempting attempt: String, hiding secrets: [String]
    ) async throws(OAuth2ClientError) -> OAuth2Answer {
        try check(message.url, attempt)
        switch await ending(of: message) {
        // An answer that has come counts, cancelled or not: the server may have taken back what was sent for it.
        case .answered(let head, let content):
            let answer = OAuth2Answer(head: head, content: content, attempt: attempt, secrets: secrets)
            if 300..<400 ~= head.status {
                throw answer.error(
                    .redirected,
                    "the endpoint answers with a redirect, which is not followed, since what is sent there is for nobody else; use the URL it leads to"
                )
            }
            return answer
        case _ where Task.isCancelled:
            throw OAuth2ClientError(.cancelled, attempting: attempt, "it was cancelled")
        case .timedOut:
            throw OAuth2ClientError(
                .timedOut, attempting: attempt,
                "there was no complete answer within \(options.requestTimeout); try again, or allow more time")
        case .failed(let error as HTTPError) where error.kind == .contentTooLarge:
            throw OAuth2ClientError(
                .responseTooLarge, attempting: attempt,
                "the answer is longer than \(options.contentLimit) bytes; check that this is the right URL")
        case .failed(let error as HTTPError) where error.kind == .cancelled:
            throw OAuth2ClientError(.cancelled, attempting: attempt, "it was cancelled", underlyingError: error)
        case .failed(let error as OAuth2ClientError): throw error
        case nil: throw OAuth2ClientError(.cancelled, attempting: attempt, "it was cancelled")
        case .failed(let error)?:
            let reason = (error as? HTTPError)?.reason ?? "the request could not be sent, or its answer not be read (\(type(of: error)))"
            throw OAuth2ClientError(.unreachable, attempting: attempt, reason, underlyingError: error)
        }
    }

    private func ending(of message: OAuth2Message) async -> Ending? {
        await withTaskGroup(of: Ending?.self) { [sender, options] group in
            group.addTask {
                do {
                    let (head, content) = try await sender.send(message, contentLimit: options.contentLimit)
                    return .answered(head: head, content: content)
                } catch {
                    return .failed(error)
                }
            }
            group.addTask {
                do {
                    try await options.clock.sleep(for: options.requestTimeout)
                    return .timedOut
                } catch {
                    return nil
                }
            }
            var first: Ending?
            while let ending = await group.next() {
                guard let ending, first == nil else { continue }
                first = ending
                group.cancelAll()
            }
            return first
        }
    }

    /// TLS is a must for everything that carries secrets (RFC 6749, 3.1 and 3.2); within the machine nobody listens on the way (RFC 8252,
    /// 8.3).
    func check(_ endpoint: URL, _ attempt: String) throws(OAuth2ClientError) {
        guard let origin = Origin(url: endpoint) else {
            throw OAuth2ClientError(.invalidArgument, attempting: attempt, "the endpoint is not an absolute https URL")
        }
        guard endpoint.fragment == nil else {
            throw OAuth2ClientError(.invalidArgument, attempting: attempt, "the endpoint's URL has a fragment; leave it out")
        }
        guard origin.scheme == "https" || origin.isLoopback || options.allowsPlaintextTransport else {
            throw OAuth2ClientError(
                .insecureEndpoint, attempting: attempt,
                "the connection would not be encrypted; use https, or allow it by allowsPlaintextTransport")
        }
    }
}

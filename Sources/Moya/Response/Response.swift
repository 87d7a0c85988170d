// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answer to a request, whole.
public final class Response: CustomDebugStringConvertible, Equatable, Sendable {
    /// The status code.
    public let statusCode: Int

    /// The content; empty for a download, whose content is in its file.
    public let data: Data

    /// The request as it was last sent: after the session's adapter and the plugins, and with it every retry.
    public let request: URLRequest?

    private enum Head: Sendable {
        case none
        case given(HTTPURLResponse)
        case received(ReceivedResponse)
    }

    private let head: Head

    /// A response of these parts.
    public init(statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        head = response.map(Head.given) ?? .none
    }

    /// A response to a head as it was received; its `HTTPURLResponse` is made when somebody asks for it.
    package init(data: Data, request: URLRequest?, received: ReceivedResponse) {
        statusCode = received.status
        self.data = data
        self.request = request
        head = .received(received)
    }

    /// The response's head; nil for stubs that have none. Made on first access, the same object ever after.
    public var response: HTTPURLResponse? {
        switch head {
        case .none: nil
        case .given(let response): response
        case .received(let received): received.urlResponse
        }
    }

    /// The status code and the length of the data, as in `Status Code: 200, Data Length: 43`.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Whether status code, data and head are equal; the requests do not count.
    public static func == (lhs: Response, rhs: Response) -> Bool {
        lhs === rhs || (lhs.statusCode == rhs.statusCode && lhs.data == rhs.data && lhs.response == rhs.response)
    }
}

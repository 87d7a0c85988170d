// SPDX-License-Identifier: MIT

import Foundation

/// An HTTP/1.1 server inside the test's own process, scripted, recording, and able to misbehave.
///
/// ```swift
/// let server = try TestServer { request in .ok("hello from \(request.path)") }
/// server.enqueue(.serviceUnavailable(retryAfter: .seconds(5)), .ok)
/// ```
///
/// It listens on loopback, on a port that the system chooses. A request is answered by the first response in the queue; when the queue is
/// empty, by the handler; without a handler with 404. The server ends with ``close()`` or when the last reference to it goes: the threads
/// hold the handler, so a handler that holds the server keeps it alive.
public final class TestServer: Sendable {
    /// Where a server listens.
    public enum Address: Sendable, Hashable {
        /// 127.0.0.1.
        case ipv4
        /// ::1.
        case ipv6
        /// A Unix-domain socket at this path, which must not exist; it is removed when the server closes.
        case unixSocket(path: String)
    }

    /// What is kept of requests' content.
    public enum BodyPolicy: Sendable, Hashable {
        /// The bytes, up to a limit; what is beyond it is read and only counted.
        case keep(limit: Int)
        /// The number of bytes.
        case count
        /// The number of bytes and their ``ContentHash``.
        case hash
    }

    /// What becomes of `Expect: 100-continue` (RFC 9110, 10.1.1).
    public enum Expectation: Sendable, Hashable {
        /// 100 is sent before the body is read.
        case sendContinue
        /// 417 is sent, the body not read, the connection closed.
        case refuse
        /// Nothing is sent; the body is read when it comes.
        case ignore
    }

    /// What happens to a connection as soon as it is accepted.
    public enum Opening: Sendable {
        /// It is served.
        case serve
        /// It is closed with a FIN.
        case close
        /// It is closed with a RST.
        case reset
        /// It is served once the gate lets it through; nothing is read before.
        case stall(TestGate)
    }

    /// How a server is set up; what is not set has a default fit for most tests.
    public struct Configuration: Sendable {
        /// Where it listens: 127.0.0.1.
        public var address: Address = .ipv4
        /// What is kept of content: 64 MiB of bytes.
        public var bodyPolicy: BodyPolicy = .keep(limit: 64 << 20)
        /// What becomes of `Expect: 100-continue`: 100 is sent.
        public var expectation: Expectation = .sendContinue
        /// Whether ``TestServer/requests`` is kept: yes. A stress test of many requests turns it off; counts stay.
        public var recordsRequests = true
        /// The longest head that is read: 1 MiB.
        public var headLimit = 1 << 20
        /// The size of each connection's receive buffer in the system (`SO_RCVBUF`); nil: the system's. A small one makes back-pressure
        /// felt.
        public var receiveBufferSize: Int?
        /// The size of each connection's send buffer in the system (`SO_SNDBUF`); nil: the system's.
        public var sendBufferSize: Int?
        /// How long the client must read nothing for ``TestServer/waitForStalledResponse(to:)`` to return: 200 ms.
        public var stalledWriteThreshold: Duration = .milliseconds(200)
        /// Asked when a head has arrived that no response in the queue answers; a response decided here can be early or interrupt the
        /// body. nil leaves the request to the handler. The request given has no body yet. Called on the connection's thread.
        public var answersHead: (@Sendable (RecordedRequest) -> ScriptedResponse?)?

        /// The defaults, changed by `change`.
        public init(_ change: (inout Configuration) -> Void = { _ in }) {
            change(&self)
        }

        /// The defaults, listening on `address`.
        public static func listening(on address: Address) -> Configuration {
            Configuration { $0.address = address }
        }
    }

    let core: ServerCore

    /// Starts a server.
    ///
    /// The handler runs on the connection's thread after the request was read to its end; it may block, but not for ever, since closing
    /// the server waits for it. Effects at phases that are over when it answers happen at once.
    /// - Throws: ``TestServerError`` with the system's reason if it cannot listen.
    public init(
        _ configuration: Configuration = Configuration(), handler: (@Sendable (RecordedRequest) -> ScriptedResponse)? = nil
    ) throws(TestServerError) {
        core = try ServerCore(configuration, handler: handler)
        try core.start()
    }

    deinit {
        core.close()
    }

    /// Closes all connections and waits until the threads have ended and the descriptors are closed. May be called more than once.
    public func close() {
        core.close()
    }

    // MARK: Address

    /// The port; 0 for a Unix-domain socket.
    public var port: Int { core.socket.port }

    /// `http://127.0.0.1:port` or `http://[::1]:port`, without a path; `http://localhost` for a Unix-domain socket.
    public var baseURL: URL { url("") }

    /// The URL of `target` on this server; `target` is appended as it is and must be a valid path with or without a query.
    public func url(_ target: String = "/") -> URL {
        let authority =
            switch core.configuration.address {
            case .ipv4: "127.0.0.1:\(port)"
            case .ipv6: "[::1]:\(port)"
            case .unixSocket: "localhost"
            }
        guard let url = URL(string: "http://\(authority)\(target)") else {
            preconditionFailure("\(target) is not a valid request target")
        }
        return url
    }

    // MARK: Script

    /// Adds responses at the end of the queue. Each answers one request, in the order in which the requests' heads arrive.
    public func enqueue(_ responses: ScriptedResponse...) {
        enqueue(contentsOf: responses)
    }

    /// Adds responses at the end of the queue.
    public func enqueue(contentsOf responses: some Sequence<ScriptedResponse>) {
        let responses = Array(responses)
        core.state.change { $0.script.append(contentsOf: responses) }
    }

    /// Says what happens to the next connections, one each; those after them are served.
    public func enqueue(openings: Opening...) {
        core.state.change { $0.openings.append(contentsOf: openings) }
    }

    /// How many responses in the queue no request has taken.
    public var unusedResponseCount: Int { core.state.read { $0.script.count } }

    // MARK: Record

    /// All requests whose head has arrived, in that order, as they are at this moment.
    public var requests: [RecordedRequest] { core.state.read { $0.records } }

    /// How many requests were read to their end.
    public var requestCount: Int { core.state.read { $0.completeCount } }

    /// How many connections were accepted.
    public var connectionCount: Int { core.state.read { $0.connectionCount } }

    /// How many connections are open.
    public var openConnectionCount: Int { core.state.read { $0.open.count } }

    /// What clients did against HTTP's grammar, a sentence each; such requests get 400.
    public var protocolViolations: [String] { core.state.read { $0.violations } }
}

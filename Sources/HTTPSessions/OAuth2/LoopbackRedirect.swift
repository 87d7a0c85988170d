// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages

/// Waits on loopback for the one request with which a browser ends a log-in (RFC 8252, 7.3).
///
/// A thread of its own serves all connections at once, since browsers open some that they do not use. Requests for other paths or hosts,
/// with other methods and what is no HTTP are answered with an error and change nothing.
package final class LoopbackRedirect: Sendable {
    package struct Failure: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// More connections cost the oldest.
    private static let connectionLimit = 32

    private struct Connection {
        let socket: LoopbackSocket
        var bytes: [UInt8] = []
        var hasHead = false
    }

    /// The port that is listened on.
    package let port: Int
    private let listener: LoopbackSocket
    private let wakeUp: LoopbackWakeUp
    private let host: String
    private let path: String

    /// `url`: `http` to 127.0.0.1 or localhost; port 0, or none, lets the system choose. Connections are taken from now on and answered
    /// from ``wait(judge:_:)`` on.
    package init(_ url: URL) throws(Failure) {
        guard url.scheme?.lowercased() == "http", let host = url.host?.lowercased(), host == "127.0.0.1" || host == "localhost" else {
            throw Failure(description: "the redirect must lead to http://127.0.0.1")
        }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        wakeUp = try LoopbackWakeUp()
        (listener, port) = try LoopbackSocket.listening(port: UInt16(clamping: url.port ?? 0))
    }

    /// Calls `completion` with the request target that came, or `nil` after ``stop()``; once. Call this once.
    /// - Parameter judge: says what the browser is shown for that target; called before `completion`, on the same thread.
    package func wait(
        judge: @escaping @Sendable (_ target: String) -> LoopbackPage = { _ in .ended },
        _ completion: @escaping @Sendable (_ target: String?) -> Void
    ) {
        Thread.detachNewThread { [self] in
            let target = serve(judge)
            listener.close()
            completion(target)
        }
    }

    /// Ends the wait.
    package func stop() { wakeUp.signal() }

    // MARK: On the thread

    private func serve(_ judge: (String) -> LoopbackPage) -> String? {
        var connections: [Connection] = []
        var target: String?
        while target == nil {
            guard let ready = LoopbackSocket.wait(for: [wakeUp.reader, listener.descriptor] + connections.map(\.socket.descriptor)) else {
                return nil
            }
            if ready.contains(wakeUp.reader) { return nil }
            advance(&connections, ready, &target, judge)
        }
        // Who came at the same time gets an answer, too.
        if let ready = LoopbackSocket.wait(for: [listener.descriptor] + connections.map(\.socket.descriptor), milliseconds: 0) {
            advance(&connections, ready, &target, judge)
            advance(&connections, Set(connections.map(\.socket.descriptor)), &target, judge)
        }
        return target
    }

    /// Reads what has come, answers what is complete, and takes new connections.
    private func advance(
        _ connections: inout [Connection], _ ready: Set<Int32>, _ target: inout String?, _ judge: (String) -> LoopbackPage
    ) {
        var open: [Connection] = []
        for var connection in connections {
            guard ready.contains(connection.socket.descriptor) else {
                open.append(connection)
                continue
            }
            let before = connection.bytes.count
            let isOpen = connection.socket.read(into: &connection.bytes, limit: LoopbackRequest.headLimit)
            connection.hasHead = connection.hasHead || LoopbackRequest.hasEnd(connection.bytes, from: max(0, before - 3))
            if let page = page(for: connection, &target, judge) {
                connection.socket.send(page.bytes)
            } else if isOpen {
                open.append(connection)
            }
        }
        if ready.contains(listener.descriptor) {
            while let socket = listener.accepted() { open.append(Connection(socket: socket)) }
        }
        connections = open.suffix(Self.connectionLimit)
    }

    /// `nil` as long as the head is not complete.
    private func page(for connection: Connection, _ target: inout String?, _ judge: (String) -> LoopbackPage) -> LoopbackPage? {
        guard connection.hasHead else { return connection.bytes.count >= LoopbackRequest.headLimit ? .malformed : nil }
        guard let request = LoopbackRequest(connection.bytes) else { return .malformed }
        // A page elsewhere may have a name that leads here.
        guard request.path == path, request.host == host || request.host == "\(host):\(port)" else { return .notFound }
        guard request.method == "GET" else { return .notAllowed }
        guard target == nil else { return .over }
        let page = judge(request.target)
        target = request.target
        return page
    }
}
#endif

// SPDX-License-Identifier: MIT

import HTTPMessages

/// Passes connections on, byte for byte, to one server on this machine and later to another: to a client a server that changes its certificate.
package final class SwitchingRelay: Sendable {
    private struct State {
        var target: Int
        var clients: [Int: LoopbackConnection] = [:]
        var connectionCount = 0
        var isClosed = false
    }

    private let listener: LoopbackListener
    private let state: Locked<State>

    package init(to target: Int) throws {
        let state = Locked(State(target: target))
        self.state = state
        listener = try LoopbackListener { client, index in
            let target = state.withLock { $0.isClosed ? nil : $0.target }
            guard let target, let server = try? LoopbackConnection(to: target) else { return }
            state.withLock { state in
                state.clients[index] = client
                state.connectionCount += 1
            }
            client.join(server)
            state.withLock { _ = $0.clients.removeValue(forKey: index) }
        }
    }

    /// Where it listens, on 127.0.0.1.
    package var port: Int { listener.port }

    /// How many connections were made to it.
    package var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// From here on connections go to another server; those that stand are closed.
    package func change(to target: Int) {
        let clients = state.withLock { state in
            state.target = target
            return Array(state.clients.values)
        }
        for client in clients { client.shutDown() }
    }

    /// Takes no more connections, and closes those that stand.
    package func end() {
        let clients = state.withLock { state in
            state.isClosed = true
            return Array(state.clients.values)
        }
        listener.end()
        for client in clients { client.shutDown() }
    }
}

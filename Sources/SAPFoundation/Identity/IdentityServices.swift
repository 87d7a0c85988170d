// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Connections that show a client's identity, apart from all others: one service for each origin and identity.
final class IdentityServices: Sendable {
    private struct Key: Hashable {
        let origin: Origin
        let identity: ClientIdentity
    }

    private struct State {
        var services: [Key: ExchangeService] = [:]
        var isShutDown = false
    }

    private let configuration: URLSessionConfiguration
    private let connections: TransportConfiguration
    private let state = Locked(State())

    init(configuration: URLSessionConfiguration, connections: TransportConfiguration) {
        self.configuration = configuration
        self.connections = connections
    }

    /// `nil` once it is shut down.
    func service(for origin: Origin, showing identity: ClientIdentity) -> ExchangeService? {
        state.withLock { state in
            if state.isShutDown { return nil }
            let key = Key(origin: origin, identity: identity)
            if let service = state.services[key] { return service }
            var connections = connections
            connections.tls.clientCertificate = identity.certificate
            let service = ExchangeService(configuration: configuration, connections: connections)
            // An identity that is replaced is not used again.
            for old in state.services.keys where old.origin == origin { state.services[old] = nil }
            state.services[key] = service
            return service
        }
    }

    func shutDown() {
        let services = state.withLock { state in
            state.isShutDown = true
            defer { state.services = [:] }
            return state.services.values
        }
        for service in services { service.shutDown(cancellingTransfers: false) }
    }
}

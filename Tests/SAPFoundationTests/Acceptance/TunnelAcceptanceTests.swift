// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing
import URLSessionEngine

#if !canImport(Darwin)
/// The acceptance test about tunnels over Foundation's engine on Linux, which has no way to send credentials with CONNECT. Its proxy can
/// only be named by the environment, hence a process of its own.
@Suite(.timeLimit(.minutes(1)))
struct TunnelAcceptanceTests {
    @Test func `12: over URLSession a proxy that asks before it opens a tunnel is a clear error, and nobody is prompted`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try TestServer { _ in .status(407, fields: ["Proxy-Authenticate": "Basic realm=\"Proxy\""], "who are you?") }
            setenv("https_proxy", proxy.url().absoluteString, 1)
            for name in ["no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"] { unsetenv(name) }
            var connections = TransportConfiguration()
            connections.proxy = .environment
            let session = SAPURLSession(transport: URLSessionTransport(configuration: .ephemeral, transport: connections))
            let store = RecordingStore()
            let discovery = ScriptedDiscovery(.success(.alice))
            session.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: store))

            let outcome = await session.outcome(of: try #require(URL(string: "https://origin.example/a")))

            guard case .proxyTunnelAuthenticationUnsupported(host: "127.0.0.1")? = outcome.error as? SAPURLSessionPipelineError else {
                Issue.record("unexpected error: \(String(describing: outcome.error))")
                return
            }
            #expect("\(outcome.error as Any)".contains("https_proxy"))
            #expect(outcome.data == nil)
            #expect(proxy.requests.map(\.method) == ["CONNECT"])
            #expect(proxy.requests.allSatisfy { $0.fields.values("Proxy-Authorization").isEmpty })
            #expect(discovery.questions.events.isEmpty)
            #expect(store.events.isEmpty)
        }
    }
}
#endif

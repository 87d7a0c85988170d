// SPDX-License-Identifier: MIT

import Moya
import Testing

@Suite struct CredentialsPluginTests {
    private let credential = URLCredential(user: "u", password: "p", persistence: .none)
    private let request = URLRequest(url: URL(string: "https://zoo.example")!)

    @Test func `a credential is given to the request, and nothing is sent by itself`() {
        let fake = FakeRequest(request)

        CredentialsPlugin { [credential] _ in credential }.willSend(fake, target: Zoo.zen)

        #expect(fake.usedCredentials == [credential])
        #expect(fake.request?.allHTTPHeaderFields?.isEmpty ?? true)
    }

    @Test func `no credential is no credential`() {
        let fake = FakeRequest(request)

        CredentialsPlugin { _ in nil }.willSend(fake, target: Zoo.zen)

        #expect(fake.usedCredentials.isEmpty)
    }

    @Test func `a plugin for one type of target sees it embedded or not, and no other`() {
        let plugin = CredentialsPlugin(for: Zoo.self) { [credential] target in
            switch target {
            case .zen: nil
            default: credential
            }
        }
        let direct = FakeRequest(request)
        let embedded = FakeRequest(request)
        let other = FakeRequest(request)

        plugin.willSend(direct, target: Zoo.login(name: "n"))
        plugin.willSend(embedded, target: MultiTarget(MultiTarget(Zoo.login(name: "n"))))
        plugin.willSend(other, target: AnyTarget())

        #expect(direct.usedCredentials == [credential])
        #expect(embedded.usedCredentials == [credential])
        #expect(other.usedCredentials.isEmpty)
    }
}

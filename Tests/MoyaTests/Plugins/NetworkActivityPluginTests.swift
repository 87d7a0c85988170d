// SPDX-License-Identifier: MIT

import Moya
import Testing

@Suite struct NetworkActivityPluginTests {
    @Test func `a request begins and ends`() async throws {
        let journal = Journal()
        let plugin = NetworkActivityPlugin { change, target in journal.note("\(change) \(target)") }
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub, plugins: [plugin])

        _ = try await provider.request(.zen)

        #expect(journal.entries == ["began zen", "ended zen"])
    }

    @Test func `a request that is cancelled before it is sent only ends`() async {
        let journal = Journal()
        let plugin = NetworkActivityPlugin { change, _ in journal.note("\(change)") }
        let held = HeldRequests()
        let provider = MoyaProvider<Zoo>(
            requestClosure: held.closure, stubClosure: MoyaProvider.immediatelyStub, plugins: [plugin])

        provider.request(.zen) { _ in }.cancel()
        held.answerAll()

        #expect(journal.entries == ["ended"])
    }
}

// SPDX-License-Identifier: MIT

import SAPFoundation
import Synchronization

/// In the place of a person at a keyboard: what is typed in, question by question.
final class Keyboard: BasicCredentialDiscovery, Sendable {
    private struct State {
        var answers: [BasicCredential]
        var failures: [Int] = []
    }

    private let state: Mutex<State>

    /// Gives these answers one after the other, and then up.
    init(_ answers: BasicCredential...) { state = Mutex(State(answers: answers)) }

    /// For each question, how many credentials had been refused before it.
    var questions: [Int] { state.withLock { $0.failures } }

    func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge, completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        let answer = state.withLock { state in
            state.failures.append(challenge.previousFailureCount)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        completionHandler(answer, answer == nil ? BasicCredentialDiscoveryError.cancelled : nil)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation

/// A discovery that gives one answer after the other, the last one again and again; with a gate, only when it is opened.
final class ScriptedDiscovery: BasicCredentialDiscovery, @unchecked Sendable {  // what changes is behind the lock
    struct Question: Equatable, Sendable {
        let url: URL
        let failures: Int
    }

    private let answers: Locked<[Result<BasicCredential, any Error>]>
    private let gate: TestGate
    let questions = EventRecorder<Question>()

    init(_ answers: Result<BasicCredential, any Error>..., gate: TestGate = TestGate(isOpen: true)) {
        self.answers = Locked(answers)
        self.gate = gate
    }

    func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        questions.record(Question(url: url, failures: challenge.previousFailureCount))
        let answer = answers.withLock { answers in
            answers.count > 1 ? answers.removeFirst() : answers.first ?? .failure(BasicCredentialDiscoveryError.inconsistentState)
        }
        Task {
            try? await gate.pass()
            switch answer {
            case .success(let credential): completionHandler(credential, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }
}

extension BasicCredential {
    static let alice = BasicCredential(username: "alice", password: "correct-horse")
    static func wrong(_ number: Int = 0) -> BasicCredential { BasicCredential(username: "alice", password: "wrong-\(number)") }
}

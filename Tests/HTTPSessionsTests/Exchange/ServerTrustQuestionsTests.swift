// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

@Suite struct ServerTrustQuestionsTests {
    private let questions = ServerTrustQuestions()
    private let turns = EventRecorder<String>()

    private func question(_ byte: UInt8 = 1, port: Int = 443) throws -> ServerTrustQuestions.Question {
        ServerTrustQuestions.Question(
            origin: try #require(Origin(scheme: "https", host: "example.com", port: port)), chain: [Data([byte])])
    }

    private func join(_ name: String, _ question: ServerTrustQuestions.Question) {
        questions.join(question) { [turns] turn in
            switch turn {
            case .ask: turns.record("\(name) asks")
            case .decided: turns.record("\(name) goes on")
            case .refused(let error): turns.record("\(name) fails: \(error.kind.rawValue)")
            }
            return true
        }
    }

    @Test func `one asks; a yes lets all who wait go on, and those who come later with the same chain`() throws {
        let question = try question()
        for name in ["a", "b", "c"] { join(name, question) }
        #expect(turns.events == ["a asks"])

        questions.decide(question, ChainRequirement(chain: question.chain, leavesOutSystemChecks: true))
        join("d", question)

        #expect(turns.events == ["a asks", "b goes on", "c goes on", "d goes on"])
        #expect(questions.decision(for: question.origin)?.chain == question.chain)
    }

    @Test func `a no is for all who wait; whoever comes later asks again`() throws {
        let question = try question()
        for name in ["a", "b", "c"] { join(name, question) }

        questions.refuse(question, HTTPError(.serverTrustRefused, attempting: "GET https://example.com/", "no"))
        join("d", question)

        #expect(turns.events == ["a asks", "b fails: serverTrustRefused", "c fails: serverTrustRefused", "d asks"])
        #expect(questions.decision(for: question.origin) == nil)
    }

    @Test func `whoever gives up hands the question on, until nobody is left`() throws {
        let question = try question()
        for name in ["a", "b"] { join(name, question) }

        questions.pass(question)
        questions.pass(question)
        questions.pass(question)
        join("c", question)

        #expect(turns.events == ["a asks", "b asks", "c asks"])
    }

    @Test func `however many have given up, the next one who wants to know asks`() throws {
        let question = try question()
        let questions = questions
        join("first", question)
        for _ in 0..<50_000 {
            questions.join(question) { _ in false }
        }
        join("last", question)

        questions.pass(question)

        #expect(turns.events == ["first asks", "last asks"])
    }

    @Test func `another chain and another port are other questions`() throws {
        let first = try question()
        join("a", first)
        join("b", try question(2))
        join("c", try question(port: 8443))
        questions.decide(first, ChainRequirement(chain: first.chain, leavesOutSystemChecks: true))

        #expect(turns.events == ["a asks", "b asks", "c asks"])
        #expect(try questions.decision(for: question(port: 8443).origin) == nil)
    }

    @Test func `only the decision that is meant is forgotten`() throws {
        let question = try question()
        let old = ChainRequirement(chain: question.chain, leavesOutSystemChecks: false)
        let new = ChainRequirement(chain: question.chain, leavesOutSystemChecks: true)
        questions.decide(question, old)
        questions.decide(question, new)

        questions.forget(old, for: question.origin)
        #expect(questions.decision(for: question.origin) === new)
        questions.forget(new, for: question.origin)
        #expect(questions.decision(for: question.origin) == nil)
    }
}

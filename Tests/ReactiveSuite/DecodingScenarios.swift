// SPDX-License-Identifier: MIT

import Foundation
import Moya
import Testing

private struct Issue: Decodable, Sendable {
    let title: String
    let created: Date
}

private struct OptionalIssue: Decodable, Sendable {
    let title: String?
    let created: Date?
}

extension OperatorScenario {
    static let decoding: [OperatorScenario] = [
        OperatorScenario("objects and arrays are decoded with the given decoder") { fixture in
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            let object = #"{"title": "Hello", "created": 5}"#
            let one = try await fixture.decoded(object, Issue.self, using: decoder) {
                "\($0.title) \($0.created.timeIntervalSince1970)"
            }
            #expect(one == .value("Hello 5.0"))
            let two = try await fixture.decoded("[\(object), \(object)]", [Issue].self, using: decoder) { "\($0.map(\.title))" }
            #expect(two == .value(#"["Hello", "Hello"]"#))
            try await fixture.decoded("{}", Issue.self, using: decoder) { $0.title }
                .expectFailure(.objectMapping, data: Data("{}".utf8), hasUnderlyingError: true)
        },
        OperatorScenario("values at a key path are decoded") { fixture in
            try await fixture.decoded(nested, Int.self, atKeyPath: "a.n") { "\($0)" }.expectValue("1")
            try await fixture.decoded(nested, Bool.self, atKeyPath: "a.t") { "\($0)" }.expectValue("true")
            try await fixture.decoded(nested, String.self, atKeyPath: "a.s") { $0 }.expectValue("123")
            try await fixture.decoded(nested, URL.self, atKeyPath: "a.u") { $0.absoluteString }.expectValue("https://example.invalid/")
            try await fixture.decoded(nested, [Int].self, atKeyPath: "a.l") { "\($0)" }.expectValue("[1, 2]")
            try await fixture.decoded(nested, OptionalIssue.self, atKeyPath: "a.o") { $0.title ?? "none" }.expectValue("Hello")
        },
        OperatorScenario("a key path that is absent is a failure, and so is another type there") { fixture in
            let data = Data(nested.utf8)
            try await fixture.decoded(nested, Int.self, atKeyPath: "a.x") { "\($0)" }.expectFailure(.jsonMapping, data: data)
            try await fixture.decoded(nested, Bool.self, atKeyPath: "a.n") { "\($0)" }
                .expectFailure(.objectMapping, data: data, hasUnderlyingError: true)
            try await fixture.decoded(nested, Int.self, atKeyPath: "a.s") { "\($0)" }
                .expectFailure(.objectMapping, data: data, hasUnderlyingError: true)
            try await fixture.decoded(nested, String.self, atKeyPath: "a.l") { $0 }
                .expectFailure(.objectMapping, data: data, hasUnderlyingError: true)
        },
        OperatorScenario("no data is an empty object or array of one, where that is allowed") { fixture in
            let one = try await fixture.decoded("", OptionalIssue.self, failsOnEmptyData: false) {
                "\($0.title ?? "none") \($0.created == nil)"
            }
            #expect(one == .value("none true"))
            let array = try await fixture.decoded("", [OptionalIssue].self, failsOnEmptyData: false) { "\($0.map { $0.title ?? "none" })" }
            #expect(array == .value(#"["none"]"#))
            let atPath = try await fixture.decoded("", OptionalIssue.self, atKeyPath: "a", failsOnEmptyData: false) { $0.title ?? "none" }
            #expect(atPath == .value("none"))
        },
    ]
}

private let nested = """
    {"a": {"n": 1, "t": true, "s": "123", "u": "https://example.invalid/", "l": [1, 2], "o": {"title": "Hello"}}}
    """

extension OperatorFixture {
    fileprivate func decoded<D: Decodable & Sendable>(
        _ text: String, _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true, _ describe: @escaping @Sendable (D) -> String
    ) async throws -> Outcome {
        try await outcome(of: 200, Data(text.utf8), describing: describe) { source, observer in
            surface.map(
                source, type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData, observer)
        }
    }
}

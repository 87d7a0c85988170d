// SPDX-License-Identifier: MIT

import Foundation
import Moya
import Testing

extension OperatorScenario {
    static let filters: [OperatorScenario] = [
        OperatorScenario("a range of status codes passes what is inside and fails with what is not") { fixture in
            let surface = fixture.surface
            for (status, isInside) in [(0, true), (9, true), (10, false), (-1, false)] {
                let closed = try await fixture.outcome(ofStub: status) { surface.filter($0, statusCodes: 0...9, $1) }
                let halfOpen = try await fixture.outcome(ofStub: status) { surface.filter($0, statusCodes: 0..<10, $1) }
                for outcome in [closed, halfOpen] {
                    if isInside {
                        #expect(outcome == .value("\(status)"))
                    } else {
                        outcome.expectFailure(.statusCode, status: status, data: Data())
                    }
                }
            }
        },
        OperatorScenario("a range of status codes without one of its bounds passes what is inside") { fixture in
            let surface = fixture.surface
            for status in [200, 399, 599] {
                let outcome = try await fixture.served(status) { surface.filter($0, statusCodes: 200..., $1) }
                #expect(outcome == .value("\(status)"))
            }
            let below = try await fixture.outcome(ofStub: 199) { surface.filter($0, statusCodes: 200..., $1) }
            below.expectFailure(.statusCode, status: 199, data: Data())
            try await fixture.served(399) { surface.filter($0, statusCodes: ..<400, $1) }.expectValue("399")
            try await fixture.served(400) { surface.filter($0, statusCodes: ..<400, $1) }
                .expectFailure(.statusCode, status: 400, data: content)
        },
        OperatorScenario("one status code passes itself and fails with another") { fixture in
            let surface = fixture.surface
            try await fixture.outcome(ofStub: 42) { surface.filter($0, statusCode: 42, $1) }.expectValue("42")
            try await fixture.outcome(ofStub: 43) { surface.filter($0, statusCode: 42, $1) }
                .expectFailure(.statusCode, status: 43, data: Data())
            try await fixture.served(201) { surface.filter($0, statusCode: 201, $1) }.expectValue("201")
            try await fixture.served(202) { surface.filter($0, statusCode: 201, $1) }
                .expectFailure(.statusCode, status: 202, data: content)
        },
        OperatorScenario("successful status codes are 200 to 299, with redirects 200 to 399") { fixture in
            let surface = fixture.surface
            for (status, isSuccess, isSuccessOrRedirect) in [
                (200, true, true), (299, true, true), (300, false, true), (399, false, true), (400, false, false), (404, false, false),
            ] {
                let first = try await fixture.served(status) { surface.filterSuccessfulStatusCodes($0, $1) }
                let second = try await fixture.served(status) { surface.filterSuccessfulStatusAndRedirectCodes($0, $1) }
                for (outcome, passes) in [(first, isSuccess), (second, isSuccessOrRedirect)] {
                    if passes {
                        #expect(outcome == .value("\(status)"))
                    } else {
                        outcome.expectFailure(.statusCode, status: status, data: content)
                    }
                }
            }
        },
        OperatorScenario("a response that was not modified is a redirect and no success") { fixture in
            let surface = fixture.surface
            let first = try await fixture.outcome(ofStub: 304) { surface.filterSuccessfulStatusCodes($0, $1) }
            first.expectFailure(.statusCode, status: 304, data: Data())
            let second = try await fixture.outcome(ofStub: 304) { surface.filterSuccessfulStatusAndRedirectCodes($0, $1) }
            #expect(second == .value("304"))
        },
    ]

    static let mappings: [OperatorScenario] = [
        OperatorScenario("an image is made of its data, and of nothing else") { fixture in
            let surface = fixture.surface
            let gif = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()
            let image = try await fixture.outcome(of: 200, gif, describing: { _ in "image" }) { surface.mapImage($0, $1) }
            #expect(image == .value("image"))
            try await fixture.outcome(of: 200, Data(), describing: { _ in "image" }) { surface.mapImage($0, $1) }
                .expectFailure(.imageMapping, data: Data())
        },
        OperatorScenario("JSON is an object, an array or a fragment") { fixture in
            let surface = fixture.surface
            let documents: [(String, @Sendable (Any) -> Bool)] = [
                (#"{"a": 1}"#, { json in json as? [String: Int] == ["a": 1] }),
                ("[1, 2]", { json in json as? [Int] == [1, 2] }),
                ("7", { json in json as? Int == 7 }),
                (#""text""#, { json in json as? String == "text" }),
            ]
            for (text, isExpected) in documents {
                let outcome = try await fixture.outcome(of: 200, Data(text.utf8), describing: { "\(isExpected($0))" }) {
                    surface.mapJSON($0, failsOnEmptyData: nil, $1)
                }
                #expect(outcome == .value("true"), "\(text)")
            }
            let cut = Data(#"{ "name": "john }"#.utf8)
            try await fixture.outcome(of: 200, cut, describing: { (_: Any) in "" }) { surface.mapJSON($0, failsOnEmptyData: nil, $1) }
                .expectFailure(.jsonMapping, data: cut)
        },
        OperatorScenario("no data is no JSON, unless that is allowed") { fixture in
            let surface = fixture.surface
            for failsOnEmptyData in [nil, true] {
                try await fixture.outcome(of: 200, Data(), describing: { (_: Any) in "" }) {
                    surface.mapJSON($0, failsOnEmptyData: failsOnEmptyData, $1)
                }
                .expectFailure(.jsonMapping, data: Data())
            }
            let outcome = try await fixture.outcome(of: 200, Data(), describing: { "\($0 is NSNull)" }) {
                surface.mapJSON($0, failsOnEmptyData: false, $1)
            }
            #expect(outcome == .value("true"))
        },
        OperatorScenario("a string is UTF-8") { fixture in
            let surface = fixture.surface
            let outcome = try await fixture.outcome(of: 200, Data("Grüße".utf8), describing: { $0 }) {
                surface.mapString($0, atKeyPath: nil, $1)
            }
            #expect(outcome == .value("Grüße"))
            try await fixture.outcome(of: 200, Data([0xFF]), describing: { $0 }) { surface.mapString($0, atKeyPath: nil, $1) }
                .expectFailure(.stringMapping, data: Data([0xFF]))
        },
        OperatorScenario("a string at a key path is found, is missing, or there is no JSON") { fixture in
            let surface = fixture.surface
            let json = Data(#"{"words_to_live_by": "Half measures", "count": 1}"#.utf8)
            let found = try await fixture.outcome(of: 200, json, describing: { $0 }) {
                surface.mapString($0, atKeyPath: "words_to_live_by", $1)
            }
            #expect(found == .value("Half measures"))
            for path in ["absent", "count"] {
                try await fixture.outcome(of: 200, json, describing: { $0 }) { surface.mapString($0, atKeyPath: path, $1) }
                    .expectFailure(.stringMapping, data: json)
            }
            try await fixture.outcome(of: 200, content, describing: { $0 }) { surface.mapString($0, atKeyPath: "a", $1) }
                .expectFailure(.jsonMapping, data: content)
        },
    ]
}

/// What the server sends where a scenario does not say it.
private let content = Data("content".utf8)

extension OperatorFixture {
    fileprivate func served(
        _ status: Int, _ subscribe: (OperatorSource, @escaping OperatorObserver<Response>) -> SurfaceSubscription
    ) async throws -> Outcome {
        try await outcome(of: status, content, describing: { "\($0.statusCode)" }, subscribe)
    }
}

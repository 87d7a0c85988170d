// SPDX-License-Identifier: MIT

import Foundation
import ReactiveMoya
import Testing

@Suite struct ResponseOperatorTests {
    struct Issue: Codable, Equatable {
        let title: String
        let created: Date
    }

    struct OptionalIssue: Codable, Equatable {
        let title: String?
        let created: Date?
    }

    private func producer(_ status: Int = 200, _ text: String = "") -> SignalProducer<Response, MoyaError> {
        SignalProducer(value: Response(statusCode: status, data: Data(text.utf8)))
    }

    private func outcome<Value>(_ producer: SignalProducer<Value, MoyaError>) -> (values: [Value], error: MoyaError?, ended: Bool) {
        let events = Recorded<Signal<Value, MoyaError>.Event>()
        producer.start { events.add($0) }
        return (events.all.compactMap(\.value), events.all.compactMap(\.error).first, events.all.last?.isCompleted == true)
    }

    private func passes(_ producer: SignalProducer<Response, MoyaError>) -> Bool {
        let outcome = outcome(producer)
        guard let error = outcome.error else { return outcome.values.count == 1 && outcome.ended }
        if case .statusCode = error, outcome.values.isEmpty { return false }
        Testing.Issue.record("\(error)")
        return false
    }

    @Test(arguments: [(0, true), (9, true), (10, false), (-1, false)])
    func `a range of status codes passes what is inside`(status: Int, isInside: Bool) {
        #expect(passes(producer(status).filter(statusCodes: 0...9)) == isInside)
        #expect(passes(producer(status).filter(statusCodes: 0..<10)) == isInside)
    }

    @Test func `partial ranges of status codes pass what is inside`() {
        #expect(passes(producer(200).filter(statusCodes: 200...)))
        #expect(!passes(producer(199).filter(statusCodes: 200...)))
        #expect(passes(producer(399).filter(statusCodes: ..<400)))
        #expect(!passes(producer(400).filter(statusCodes: ..<400)))
    }

    @Test func `one status code passes itself`() {
        #expect(passes(producer(42).filter(statusCode: 42)))
        #expect(!passes(producer(43).filter(statusCode: 42)))
    }

    @Test(arguments: [
        (200, true, true), (299, true, true), (304, false, true), (399, false, true), (404, false, false), (199, false, false),
    ])
    func `successful and redirecting status codes pass`(status: Int, isSuccess: Bool, isSuccessOrRedirect: Bool) {
        #expect(passes(producer(status).filterSuccessfulStatusCodes()) == isSuccess)
        #expect(passes(producer(status).filterSuccessfulStatusAndRedirectCodes()) == isSuccessOrRedirect)
    }

    @Test func `an image is made of its data, and of nothing else`() throws {
        let gif = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()
        #expect(outcome(SignalProducer(value: Response(statusCode: 200, data: gif)).mapImage()).values.count == 1)
        guard case .imageMapping? = outcome(producer().mapImage()).error else {
            Testing.Issue.record("expected a failed image mapping")
            return
        }
    }

    @Test func `JSON is an object, an array or a fragment`() {
        #expect((outcome(producer(200, #"{"a": 1}"#).mapJSON()).values.first as? [String: Int]) == ["a": 1])
        #expect((outcome(producer(200, "[1, 2]").mapJSON()).values.first as? [Int]) == [1, 2])
        #expect((outcome(producer(200, "7").mapJSON()).values.first as? Int) == 7)
        guard case .jsonMapping? = outcome(producer(200, #"{ "name": "john }"#).mapJSON()).error else {
            Testing.Issue.record("expected a failed JSON mapping")
            return
        }
    }

    @Test func `a string is UTF-8`() {
        #expect(outcome(producer(200, "text").mapString()).values == ["text"])
        let invalid = SignalProducer<Response, MoyaError>(value: Response(statusCode: 200, data: Data([0xFF])))
        guard case .stringMapping? = outcome(invalid.mapString()).error else {
            Testing.Issue.record("expected a failed string mapping")
            return
        }
    }

    @Test func `a string at a key path is found, is missing, or there is no JSON`() {
        let json = #"{"words_to_live_by": "Half measures", "count": 1}"#
        #expect(outcome(producer(200, json).mapString(atKeyPath: "words_to_live_by")).values == ["Half measures"])
        for path in ["absent", "count"] {
            guard case .stringMapping? = outcome(producer(200, json).mapString(atKeyPath: path)).error else {
                Testing.Issue.record("expected a failed string mapping for \(path)")
                return
            }
        }
        guard case .jsonMapping? = outcome(producer(200, "no JSON").mapString(atKeyPath: "a")).error else {
            Testing.Issue.record("expected a failed JSON mapping")
            return
        }
    }

    @Test func `objects and arrays are decoded with the given decoder`() {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let issue = Issue(title: "Hello", created: Date(timeIntervalSince1970: 5))
        let json = #"{"title": "Hello", "created": 5}"#

        #expect(outcome(producer(200, json).map(Issue.self, using: decoder)).values == [issue])
        #expect(outcome(producer(200, "[\(json)]").map([Issue].self, using: decoder)).values == [[issue]])
        guard case .objectMapping(let error, _)? = outcome(producer(200, "{}").map(Issue.self, using: decoder)).error else {
            Testing.Issue.record("expected a failed object mapping")
            return
        }
        #expect(error is DecodingError)
    }

    @Test func `values at a key path are decoded without coercion`() {
        let json = #"{"a": {"n": 1, "t": true, "s": "123", "u": "https://example.invalid/", "l": [1, 2]}}"#
        #expect(outcome(producer(200, json).map(Int.self, atKeyPath: "a.n")).values == [1])
        #expect(outcome(producer(200, json).map(Bool.self, atKeyPath: "a.t")).values == [true])
        #expect(outcome(producer(200, json).map(String.self, atKeyPath: "a.s")).values == ["123"])
        #expect(outcome(producer(200, json).map(URL.self, atKeyPath: "a.u")).values.map(\.absoluteString) == ["https://example.invalid/"])
        #expect(outcome(producer(200, json).map([Int].self, atKeyPath: "a.l")).values == [[1, 2]])
        guard case .jsonMapping? = outcome(producer(200, json).map(Int.self, atKeyPath: "a.x")).error else {
            Testing.Issue.record("expected a failed JSON mapping for an absent path")
            return
        }
        for error in [
            outcome(producer(200, json).map(Bool.self, atKeyPath: "a.n")).error,
            outcome(producer(200, json).map(Int.self, atKeyPath: "a.s")).error,
            outcome(producer(200, json).map(String.self, atKeyPath: "a.l")).error,
        ] {
            guard case .objectMapping? = error else {
                Testing.Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `empty data is decoded where that is allowed`() {
        let empty = OptionalIssue(title: nil, created: nil)
        #expect(outcome(producer().map(OptionalIssue.self, failsOnEmptyData: false)).values == [empty])
        #expect(outcome(producer().map([OptionalIssue].self, failsOnEmptyData: false)).values == [[empty]])
        #expect(outcome(producer().map(OptionalIssue.self, atKeyPath: "a", failsOnEmptyData: false)).values == [empty])
    }

    @Test func `values before the one that fails are sent, and its error ends the stream and the work`() {
        let disposed = Recorded<Bool>()
        let responses = SignalProducer<Response, MoyaError>([200, 201, 404, 202].map { Response(statusCode: $0, data: Data()) })
            .on(disposed: { disposed.add(true) })

        let outcome = outcome(responses.filterSuccessfulStatusCodes())

        #expect(outcome.values.map(\.statusCode) == [200, 201])
        guard case .statusCode(let response)? = outcome.error else {
            Testing.Issue.record("expected a failed status code")
            return
        }
        #expect(response.statusCode == 404)
        #expect(disposed.all == [true])
    }

    @Test func `signals have the same operators`() {
        let (signal, input) = Signal<Response, MoyaError>.pipe()
        let texts = Recorded<String>()
        let errors = Recorded<MoyaError>()
        let codes = Recorded<Int>()
        signal.filterSuccessfulStatusAndRedirectCodes().mapString().observe { event in
            if let value = event.value { texts.add(value) }
            if let error = event.error { errors.add(error) }
        }
        signal.filter(statusCodes: 0...1000).observeResult { if case .success(let response) = $0 { codes.add(response.statusCode) } }

        input.send(value: Response(statusCode: 304, data: Data("a".utf8)))
        input.send(value: Response(statusCode: 500, data: Data("b".utf8)))

        #expect(texts.all == ["a"])
        #expect(errors.all.count == 1)
        #expect(codes.all == [304, 500])
    }

    @Test func `progress is filtered into its share and the response`() {
        let half = Progress(totalUnitCount: 2)
        half.completedUnitCount = 1
        let response = Response(statusCode: 200, data: Data())
        let steps = SignalProducer<ProgressResponse, MoyaError>([
            ProgressResponse(progress: half), ProgressResponse(progress: half, response: response),
        ])

        #expect(outcome(steps.filterProgress()).values == [0.5])
        #expect(outcome(steps.filterCompleted()).values.map(\.statusCode) == [200])
    }
}

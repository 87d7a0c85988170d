// SPDX-License-Identifier: MIT

import Moya
import Testing

@Suite struct ResponseMappingTests {
    private func response(_ text: String) -> Response {
        Response(statusCode: 200, data: Data(text.utf8))
    }

    private struct Issue: Codable, Equatable {
        var title: String?
        var number: Int?
    }

    // MARK: JSON

    @Test func `any JSON value maps`() throws {
        #expect(try response("5").mapJSON() as? Int == 5)
        #expect(try response("\"x\"").mapJSON() as? String == "x")
        #expect(try response("null").mapJSON() is NSNull)
        #expect(try response("{\"a\": [1]}").mapJSON() as? [String: [Int]] == ["a": [1]])
    }

    @Test(arguments: ["", "{", "x"])
    func `what is not JSON does not`(text: String) {
        let response = response(text)

        let error = #expect(throws: MoyaError.self) { try response.mapJSON() }

        guard case .jsonMapping(let refused)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(refused === response)
    }

    @Test func `empty data is null where that is allowed, and garbage is not`() throws {
        #expect(try response("").mapJSON(failsOnEmptyData: false) is NSNull)
        #expect(throws: MoyaError.self) { try response("{").mapJSON(failsOnEmptyData: false) }
    }

    // MARK: Strings

    @Test func `all data maps to a string if it is UTF-8`() throws {
        #expect(try response("größe").mapString() == "größe")
        #expect(try response("").mapString() == "")
        let latin = Response(statusCode: 200, data: Data([0x67, 0xF6]))
        let error = #expect(throws: MoyaError.self) { try latin.mapString() }
        #expect(error?.code == .stringMapping)
    }

    @Test(arguments: [
        ("{\"a\": \"x\"}", "a", "x"),
        ("{\"a\": {\"b\": {\"c\": \"x\"}}}", "a.b.c", "x"),
        ("{\"a\": {\"\": \"x\"}}", "a.", "x"),
    ])
    func `a string is found at its key path`(document: String, path: String, expected: String) throws {
        #expect(try response(document).mapString(atKeyPath: path) == expected)
    }

    @Test(arguments: [
        ("{\"a\": 1}", "a", MoyaErrorCode.stringMapping),
        ("{\"a\": \"x\"}", "b", .stringMapping),
        ("{\"a\": \"x\"}", "a.b", .stringMapping),
        ("[\"a\"]", "a", .stringMapping),
        ("{\"a\": [{\"b\": \"x\"}]}", "a.b", .stringMapping),
        ("\"a\"", "a", .stringMapping),
        ("{", "a", .jsonMapping),
        ("", "a", .jsonMapping),
    ])
    func `what is no string at its key path fails`(document: String, path: String, code: MoyaErrorCode) {
        let error = #expect(throws: MoyaError.self) { try response(document).mapString(atKeyPath: path) }

        #expect(error?.code == code)
    }

    // MARK: Decodable

    @Test func `a whole document decodes`() throws {
        #expect(try response("{\"title\": \"x\", \"number\": 1}").map(Issue.self) == Issue(title: "x", number: 1))
        #expect(try response("[{\"number\": 1}]").map([Issue].self) == [Issue(number: 1)])
        #expect(try response("7").map(Int.self) == 7)
    }

    @Test func `a decoder's error is in the failure`() {
        let response = response("{\"title\": 1}")

        let error = #expect(throws: MoyaError.self) { try response.map(Issue.self) }

        guard case .objectMapping(let inner, let refused)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(inner is DecodingError)
        #expect(refused === response)
    }

    @Test func `empty data decodes as an empty object or a list of one where that is allowed`() throws {
        let empty = response("")

        #expect(try empty.map(Issue.self, failsOnEmptyData: false) == Issue())
        #expect(try empty.map([Issue].self, failsOnEmptyData: false) == [Issue()])
        #expect(throws: MoyaError.self) { try empty.map(Issue.self) }
        for error in [
            #expect(throws: MoyaError.self) { try empty.map(Int.self, failsOnEmptyData: false) },
            #expect(throws: MoyaError.self) { try empty.map([String].self, failsOnEmptyData: false) },
        ] {
            #expect(error?.code == .objectMapping)
        }
    }

    @Test func `values decode at their key path without coercion`() throws {
        let document = response(
            """
            {"user": {"name": "a", "age": 5, "isAdmin": true, "home": "http://h/", "tags": ["x", "y"], "issue": {"title": "t"},
             "nothing": null, "digits": "123", "big": 9223372036854775807, "bigger": 18446744073709551615, "tenth": 0.1, "third": 0.3333333333333333}}
            """)

        #expect(try document.map(String.self, atKeyPath: "user.name") == "a")
        #expect(try document.map(Int.self, atKeyPath: "user.age") == 5)
        #expect(try document.map(Bool.self, atKeyPath: "user.isAdmin") == true)
        #expect(try document.map(URL.self, atKeyPath: "user.home") == URL(string: "http://h/"))
        #expect(try document.map([String].self, atKeyPath: "user.tags") == ["x", "y"])
        #expect(try document.map(Issue.self, atKeyPath: "user.issue") == Issue(title: "t"))
        #expect(try document.map(String?.self, atKeyPath: "user.nothing") == nil)
        #expect(try document.map(Int64.self, atKeyPath: "user.big") == .max)
        #expect(try document.map(UInt64.self, atKeyPath: "user.bigger") == .max)
        #expect(try document.map(Double.self, atKeyPath: "user.tenth") == 0.1)
        #expect(try document.map(Double.self, atKeyPath: "user.third") == 1.0 / 3)

        let refused: [MoyaErrorCode?] = [
            #expect(throws: MoyaError.self) { try document.map(Bool.self, atKeyPath: "user.age") }?.code,
            #expect(throws: MoyaError.self) { try document.map(Int.self, atKeyPath: "user.digits") }?.code,
            #expect(throws: MoyaError.self) { try document.map(String.self, atKeyPath: "user.tags") }?.code,
            #expect(throws: MoyaError.self) { try document.map([String].self, atKeyPath: "user.name") }?.code,
            #expect(throws: MoyaError.self) { try document.map(String.self, atKeyPath: "user.nothing") }?.code,
            #expect(throws: MoyaError.self) { try document.map(Int.self, atKeyPath: "user.isAdmin") }?.code,
        ]
        #expect(refused == Array(repeating: .objectMapping, count: 6))
    }

    @Test func `a missing key path fails, or decodes the whole document`() throws {
        let document = response("{\"title\": \"x\"}")

        #expect(#expect(throws: MoyaError.self) { try document.map(Issue.self, atKeyPath: "issue") }?.code == .jsonMapping)
        #expect(try document.map(Issue.self, atKeyPath: "issue", failsOnEmptyData: false) == Issue(title: "x"))
        #expect(#expect(throws: MoyaError.self) { try response("[]").map(Issue.self, atKeyPath: "issue") }?.code == .jsonMapping)
        #expect(try response("").map(Issue.self, atKeyPath: "issue", failsOnEmptyData: false) == Issue())
    }

    @Test func `a decoder's strategies hold at a key path`() throws {
        struct Event: Decodable {
            var startDate: Date
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let document = response("{\"event\": {\"start_date\": 10}, \"at\": 20}")

        #expect(try document.map(Event.self, atKeyPath: "event", using: decoder).startDate == Date(timeIntervalSince1970: 10))
        #expect(try document.map(Date.self, atKeyPath: "at", using: decoder) == Date(timeIntervalSince1970: 20))
    }
}

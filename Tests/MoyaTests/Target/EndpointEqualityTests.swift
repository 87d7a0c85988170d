// SPDX-License-Identifier: MIT

import Moya
import Testing

@Suite struct EndpointEqualityTests {
    private static func endpoint(
        _ task: Task, method: Moya.Method = .post, url: String = "https://h/p", headers: [String: String]? = nil
    ) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: { .networkResponse(200, Data()) }, method: method, task: task, httpHeaderFields: headers)
    }

    private struct Meal: Encodable {
        var firstDish: String
    }

    private static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }

    private static var prettyPrinting: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        return encoder
    }

    private static func part(_ text: String) -> MultipartFormBodyPart {
        MultipartFormBodyPart(provider: .data(Data(text.utf8)), name: "n")
    }

    @Test func `endpoints that make different requests differ`() {
        let stream = InputStream(data: Data())
        let different: [(String, Endpoint, Endpoint)] = [
            ("URL", Self.endpoint(.requestPlain), Self.endpoint(.requestPlain, url: "https://h/q")),
            ("method", Self.endpoint(.requestPlain), Self.endpoint(.requestPlain, method: .put)),
            ("fields", Self.endpoint(.requestPlain, headers: ["A": "1"]), Self.endpoint(.requestPlain, headers: ["A": "2"])),
            ("data", Self.endpoint(.requestData(Data("a".utf8))), Self.endpoint(.requestData(Data("b".utf8)))),
            (
                "value", Self.endpoint(.requestJSONEncodable(Meal(firstDish: "soup"))),
                Self.endpoint(.requestJSONEncodable(Meal(firstDish: "rice")))
            ),
            (
                "encoder", Self.endpoint(.requestCustomJSONEncodable(Meal(firstDish: "soup"), encoder: JSONEncoder())),
                Self.endpoint(.requestCustomJSONEncodable(Meal(firstDish: "soup"), encoder: Self.snakeCase))
            ),
            (
                "white space", Self.endpoint(.requestCustomJSONEncodable(Meal(firstDish: "soup"), encoder: JSONEncoder())),
                Self.endpoint(.requestCustomJSONEncodable(Meal(firstDish: "soup"), encoder: Self.prettyPrinting))
            ),
            (
                "parameters", Self.endpoint(.requestParameters(parameters: ["a": 1], encoding: JSONEncoding.default)),
                Self.endpoint(.requestParameters(parameters: ["a": 2], encoding: JSONEncoding.default))
            ),
            (
                "query", Self.endpoint(.requestCompositeData(bodyData: Data(), urlParameters: ["a": 1])),
                Self.endpoint(.requestCompositeData(bodyData: Data(), urlParameters: ["a": 2]))
            ),
            (
                "composite body",
                Self.endpoint(
                    .requestCompositeParameters(bodyParameters: ["a": 1], bodyEncoding: JSONEncoding.default, urlParameters: [:])),
                Self.endpoint(.requestCompositeParameters(bodyParameters: ["a": 2], bodyEncoding: JSONEncoding.default, urlParameters: [:]))
            ),
            (
                "file", Self.endpoint(.uploadFile(URL(fileURLWithPath: "/a"))), Self.endpoint(.uploadFile(URL(fileURLWithPath: "/b")))
            ),
            (
                "form", Self.endpoint(.uploadMultipartFormData([Self.part("a")])), Self.endpoint(.uploadMultipartFormData([Self.part("b")]))
            ),
            (
                "boundary", Self.endpoint(.uploadMultipartFormData(MultipartFormData(boundary: "x", parts: [Self.part("a")]))),
                Self.endpoint(.uploadMultipartFormData(MultipartFormData(boundary: "y", parts: [Self.part("a")])))
            ),
            (
                "stream",
                Self.endpoint(.uploadMultipartFormData([MultipartFormBodyPart(provider: .stream(stream, 0), name: "n")])),
                Self.endpoint(
                    .uploadMultipartFormData([MultipartFormBodyPart(provider: .stream(InputStream(data: Data()), 0), name: "n")]))
            ),
            ("failure", Self.endpoint(.requestPlain), Self.endpoint(.requestPlain, url: "no URL")),
            ("failures", Self.endpoint(.requestPlain, url: "no URL"), Self.endpoint(.requestPlain, url: "no other URL")),
            (
                "files of failures", Self.endpoint(.uploadFile(URL(fileURLWithPath: "/a")), url: "no URL"),
                Self.endpoint(.uploadFile(URL(fileURLWithPath: "/b")), url: "no URL")
            ),
        ]
        for (what, one, other) in different {
            #expect(one != other, "\(what)")
        }
    }

    @Test func `endpoints that make the same request are equal and hash alike`() {
        let stream = InputStream(data: Data())
        func parameters() -> [String: Any] {
            ["a": 1, "b": ["c": [1, 2, ["d": 1]], "e": "f"], "g": true, "h": 1.5, "i": NSNull()]
        }
        let equal: [(String, Endpoint, Endpoint)] = [
            ("plain", Self.endpoint(.requestPlain), Self.endpoint(.requestPlain)),
            ("case of field names", Self.endpoint(.requestPlain, headers: ["a": "1"]), Self.endpoint(.requestPlain, headers: ["A": "1"])),
            ("data", Self.endpoint(.requestData(Data("a".utf8))), Self.endpoint(.requestData(Data("a".utf8)))),
            (
                "JSON", Self.endpoint(.requestParameters(parameters: parameters(), encoding: JSONEncoding.default)),
                Self.endpoint(.requestParameters(parameters: parameters(), encoding: JSONEncoding.default))
            ),
            (
                "form", Self.endpoint(.requestParameters(parameters: parameters(), encoding: URLEncoding.default)),
                Self.endpoint(.requestParameters(parameters: parameters(), encoding: URLEncoding.default))
            ),
            (
                "destinations", Self.endpoint(.downloadDestination { url, _ in (url, []) }),
                Self.endpoint(.downloadDestination { url, _ in (url, [.removePreviousFile]) })
            ),
            (
                "streams", Self.endpoint(.uploadMultipartFormData([MultipartFormBodyPart(provider: .stream(stream, 0), name: "n")])),
                Self.endpoint(.uploadMultipartFormData([MultipartFormBodyPart(provider: .stream(stream, 0), name: "n")]))
            ),
            ("failures", Self.endpoint(.requestPlain, url: "no URL"), Self.endpoint(.requestPlain, url: "no URL")),
        ]
        for (what, one, other) in equal {
            #expect(one == other, "\(what)")
            #expect(one.hashValue == other.hashValue, "\(what)")
        }
    }

    @Test func `JSON from dictionaries of any insertion order is the same request`() {
        let keys = (0..<40).map { "key\($0)" }
        var forwards: [String: Any] = [:]
        var backwards: [String: Any] = Dictionary(minimumCapacity: 512)
        for key in keys { forwards[key] = [key: 1] }
        for key in keys.reversed() { backwards[key] = [key: 1] }

        let one = Self.endpoint(.requestParameters(parameters: forwards, encoding: JSONEncoding.default))
        let other = Self.endpoint(.requestParameters(parameters: backwards, encoding: JSONEncoding.default))

        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }

    @Test func `an endpoint keeps its hash when what it refers to changes`() {
        final class Counter: Encodable, @unchecked Sendable {  // used by this test alone
            var count = 0
        }
        let counter = Counter()
        let endpoint = Self.endpoint(.requestJSONEncodable(counter))
        let table = [endpoint: 1]

        counter.count = 10

        #expect(table[endpoint] == 1)
    }

    @Test func `sample responses do not count`() {
        let one = Endpoint(
            url: "https://h", sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get, task: .requestPlain,
            httpHeaderFields: nil)
        let other = Endpoint(
            url: "https://h", sampleResponseClosure: { .networkResponse(500, Data()) }, method: .get, task: .requestPlain,
            httpHeaderFields: nil)

        #expect(one == other)
    }
}

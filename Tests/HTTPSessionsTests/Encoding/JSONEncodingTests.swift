// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct JSONEncodingTests {
    private let request: URLRequest

    init() throws {
        request = try URLRequest(url: "https://example.com", method: .post)
    }

    @Test func `parameters become a JSON body with its type`() throws {
        let encoded = try JSONEncoding.default.encode(request, with: ["a": [1, true, "x", NSNull()] as [Any], "b": 1.5])

        let body = try JSONSerialization.jsonObject(with: #require(encoded.httpBody)) as? NSDictionary
        #expect(body == ["a": [1, true, "x", NSNull()] as [Any], "b": 1.5] as NSDictionary)
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `empty parameters become an empty object and nil changes nothing`() throws {
        #expect(try JSONEncoding.default.encode(request, with: [:]).httpBody == Data("{}".utf8))

        let unchanged = try JSONEncoding.default.encode(request, with: nil)
        #expect(unchanged.httpBody == nil)
        #expect(unchanged.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test func `an array may be the whole body, and options are honoured`() throws {
        #expect(try JSONEncoding.default.encode(request, withJSONObject: [1, 2]).httpBody == Data("[1,2]".utf8))

        let pretty = try JSONEncoding.prettyPrinted.encode(request, with: ["a": 1])
        #expect(String(decoding: try #require(pretty.httpBody), as: UTF8.self).contains("\n"))
        #expect(JSONEncoding(options: .sortedKeys).options == .sortedKeys)
    }

    @Test func `a content type that is there stays`() throws {
        var request = request
        request.setValue("application/vnd.api+json", forHTTPHeaderField: "content-type")

        let encoded = try JSONEncoding.default.encode(request, with: ["a": 1])
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
    }

    @Test func `what has no JSON form is an error`() throws {
        for value in [Date(), Data(), Double.nan, Double.infinity, request, [1: 2]] as [Any] {
            let error = try #require(throws: AFError.self) { try JSONEncoding.default.encode(request, with: ["v": value]) }
            guard case .parameterEncodingFailed(.jsonEncodingFailed(JSONEncoding.Error.invalidJSONObject)) = error else {
                Issue.record("unexpected \(error)")
                continue
            }
        }
        #expect(throws: AFError.self) { try JSONEncoding.default.encode(request, withJSONObject: "fragment") }
    }
}

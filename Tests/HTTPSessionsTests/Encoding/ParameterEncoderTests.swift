// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Filter: Codable, Equatable, Sendable {
    var name = "a b"
    var limit = 2
}

@Suite struct ParameterEncoderTests {
    @Test func `JSON becomes the body with its type`() throws {
        let request = try JSONParameterEncoder.sortedKeys.encode(Filter(), into: URLRequest(url: "https://h", method: .post))

        #expect(request.httpBody == Data(#"{"limit":2,"name":"a b"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let own = try URLRequest(url: "https://h", method: .post, headers: ["content-type": "a/b"])
        #expect(try JSONParameterEncoder.default.encode(Filter(), into: own).value(forHTTPHeaderField: "Content-Type") == "a/b")
        let pretty = try JSONParameterEncoder.prettyPrinted.encode(Filter(), into: own).httpBody
        #expect(pretty?.contains(UInt8(ascii: "\n")) == true)
    }

    @Test func `what cannot be JSON is an error around the encoder's`() throws {
        let error = try #require(throws: AFError.self) {
            try JSONParameterEncoder.default.encode(["v": Double.nan], into: URLRequest(url: "https://h", method: .post))
        }

        guard case .parameterEncodingFailed(.jsonEncodingFailed(is EncodingError)) = error else {
            Issue.record("unexpected \(error)")
            return
        }
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .post, .put])
    func `a form goes where the method says`(method: HTTPMethod) throws {
        let request = try URLEncodedFormParameterEncoder.default.encode(
            Filter(), into: URLRequest(url: "https://h/p?x=1#f", method: method))

        if [.get, .head, .delete].contains(method) {
            #expect(request.url?.absoluteString == "https://h/p?x=1&limit=2&name=a%20b#f")
            #expect(request.httpBody == nil)
        } else {
            #expect(request.url?.absoluteString == "https://h/p?x=1#f")
            #expect(request.httpBody == Data("limit=2&name=a%20b".utf8))
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
        }
    }

    @Test func `a form goes where the destination says`() throws {
        func encode(_ encoder: some ParameterEncoder, _ method: HTTPMethod) throws -> URLRequest {
            try encoder.encode(Filter(), into: URLRequest(url: "https://h", method: method))
        }

        #expect(try encode(.urlEncodedForm(destination: .queryString), .post).url?.query == "limit=2&name=a%20b")
        #expect(try encode(.urlEncodedForm(destination: .httpBody), .get).httpBody != nil)
        #expect(try encode(.urlEncodedForm, .get).url?.query != nil)
        #expect(try encode(.json, .post).httpBody != nil)
    }

    @Test func `nil leaves the request as it is`() throws {
        let request = try URLRequest(url: "https://h", method: .post)

        #expect(try JSONParameterEncoder.default.encode(Filter?.none, into: request).httpBody == nil)
        #expect(try URLEncodedFormParameterEncoder.default.encode(Filter?.none, into: request).httpBody == nil)
    }

    @Test func `a request without a URL, and a value without names, are errors`() throws {
        var request = try URLRequest(url: "https://h", method: .get)
        let unnamed = try #require(throws: AFError.self) { try URLEncodedFormParameterEncoder.default.encode([1, 2], into: request) }
        request.url = nil
        let homeless = try #require(throws: AFError.self) { try URLEncodedFormParameterEncoder.default.encode(Filter(), into: request) }

        guard case .parameterEncoderFailed(.encoderFailed(URLEncodedFormEncoder.Error.invalidRootObject)) = unnamed,
            case .parameterEncoderFailed(.missingRequiredComponent(.url)) = homeless
        else {
            Issue.record("unexpected \(unnamed), \(homeless)")
            return
        }
    }
}

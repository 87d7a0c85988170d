// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Failed: Error, Equatable {}

private struct User: Codable, Equatable, Sendable {
    var name: String
}

private func request(_ method: HTTPMethod = .get) throws -> URLRequest {
    try URLRequest(url: "https://example.com/", method: method)
}

private func response(_ status: Int = 200, type: String? = nil) throws -> HTTPURLResponse {
    try #require(
        HTTPURLResponse(
            url: "https://example.com/".asURL(), statusCode: status, httpVersion: "HTTP/1.1",
            headerFields: type.map { ["Content-Type": $0] }))
}

private func serializationReason(_ body: () throws -> Void) -> AFError.ResponseSerializationFailureReason? {
    do {
        try body()
        return nil
    } catch {
        guard case .responseSerializationFailed(let reason)? = error.asAFError else { return nil }
        return reason
    }
}

@Suite struct ResponseSerializerTests {
    @Test func `an earlier error is thrown first by every serializer`() throws {
        let data = Data("x".utf8)
        let file = URL(fileURLWithPath: "/tmp/x")

        #expect(throws: Failed()) { try DataResponseSerializer().serialize(request: nil, response: nil, data: data, error: Failed()) }
        #expect(throws: Failed()) { try StringResponseSerializer().serialize(request: nil, response: nil, data: data, error: Failed()) }
        #expect(throws: Failed()) {
            try DecodableResponseSerializer<User>().serialize(request: nil, response: nil, data: data, error: Failed())
        }
        #expect(throws: Failed()) {
            try DataResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: file, error: Failed())
        }
        #expect(throws: Failed()) {
            try URLResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: file, error: Failed())
        }
    }

    @Test(arguments: [nil, Data()] as [Data?])
    func `missing content is an error unless the method or the status code allows it`(data: Data?) throws {
        let serializer = DataResponseSerializer()
        let reason = serializationReason {
            _ = try serializer.serialize(request: request(), response: response(), data: data, error: nil)
        }
        guard case .inputDataNilOrZeroLength = reason else {
            Issue.record("unexpected \(String(describing: reason))")
            return
        }

        for status in [204, 205] {
            #expect(try serializer.serialize(request: request(), response: response(status), data: data, error: nil).isEmpty)
        }
        #expect(try serializer.serialize(request: request(.head), response: response(), data: data, error: nil).isEmpty)
        #expect(try StringResponseSerializer().serialize(request: request(.head), response: response(), data: data, error: nil) == "")
        #expect(
            try DecodableResponseSerializer<Empty>().serialize(request: nil, response: response(204), data: data, error: nil) == .value)
        let own = DataResponseSerializer(emptyResponseCodes: [299], emptyRequestMethods: [.patch])
        #expect(try own.serialize(request: request(.patch), response: response(), data: data, error: nil).isEmpty)
        #expect(throws: AFError.self) { try own.serialize(request: request(.head), response: response(204), data: data, error: nil) }
    }

    @Test func `whether empty responses are allowed is unknown without request or response`() throws {
        let serializer = DataResponseSerializer()

        #expect(serializer.requestAllowsEmptyResponseData(nil) == nil)
        #expect(serializer.responseAllowsEmptyResponseData(nil) == nil)
        #expect(!serializer.emptyResponseAllowed(forRequest: nil, response: nil))
        #expect(try serializer.requestAllowsEmptyResponseData(request(.head)) == true)
        #expect(try serializer.responseAllowsEmptyResponseData(response(200)) == false)
    }

    @Test(
        arguments: [
            ("text/plain; charset=utf-8", nil, [0xC3, 0xA9], "é"),
            ("text/plain; charset=\"UTF-8\"", nil, [0xC3, 0xA9], "é"),
            ("text/plain; charset=ISO-8859-1", nil, [0xE9], "é"),
            ("text/plain; charset=windows-1252", nil, [0x80], "€"),
            ("text/plain; charset=x-unheard-of", nil, [0xE9], "é"),
            (nil, nil, [0xE9], "é"),
            ("text/plain; charset=ISO-8859-1", .utf8, [0xC3, 0xA9], "é"),
        ] as [(String?, String.Encoding?, [UInt8], String)])
    func `text is read in the encoding given, else the response's, else ISO 8859-1`(
        type: String?, encoding: String.Encoding?, bytes: [UInt8], text: String
    ) throws {
        let serializer = StringResponseSerializer(encoding: encoding)

        #expect(try serializer.serialize(request: nil, response: response(type: type), data: Data(bytes), error: nil) == text)
    }

    @Test func `bytes that are not text in the encoding are an error`() throws {
        let reason = serializationReason {
            _ = try StringResponseSerializer(encoding: .utf8).serialize(request: nil, response: nil, data: Data([0xFF]), error: nil)
        }

        guard case .stringSerializationFailed(.utf8) = reason else {
            Issue.record("unexpected \(String(describing: reason))")
            return
        }
    }

    @Test func `JSON is decoded, and garbage is an error around the decoder's`() throws {
        let serializer = DecodableResponseSerializer<User>()

        #expect(
            try serializer.serialize(request: nil, response: nil, data: Data(#"{"name":"Ada"}"#.utf8), error: nil) == User(name: "Ada"))
        let reason = serializationReason { _ = try serializer.serialize(request: nil, response: nil, data: Data("[]".utf8), error: nil) }
        guard case .decodingFailed(is DecodingError) = reason else {
            Issue.record("unexpected \(String(describing: reason))")
            return
        }
    }

    @Test func `a type without an empty value cannot come of an empty response`() throws {
        let reason = serializationReason {
            _ = try DecodableResponseSerializer<User>().serialize(request: nil, response: response(204), data: nil, error: nil)
        }

        guard case .invalidEmptyResponse("User") = reason else {
            Issue.record("unexpected \(String(describing: reason))")
            return
        }
    }

    @Test func `property lists are decoded with their decoder`() throws {
        let list = try PropertyListEncoder().encode(User(name: "Ada"))
        let serializer = DecodableResponseSerializer<User>(decoder: PropertyListDecoder())

        #expect(try serializer.serialize(request: nil, response: nil, data: list, error: nil).name == "Ada")
    }

    @Test func `the prefix of Google's services is taken off where it is`() throws {
        let plain = DataResponseSerializer()
        let google = DataResponseSerializer(dataPreprocessor: .googleXSSI)
        let prefixed = Data(")]}',\n{}".utf8)

        #expect(try google.serialize(request: nil, response: nil, data: prefixed, error: nil) == Data("{}".utf8))
        #expect(try google.serialize(request: nil, response: nil, data: Data("{}".utf8), error: nil) == Data("{}".utf8))
        #expect(try google.serialize(request: nil, response: nil, data: Data(")]}'".utf8), error: nil) == Data(")]}'".utf8))
        #expect(try plain.serialize(request: nil, response: nil, data: prefixed, error: nil) == prefixed)
    }

    @Test func `a downloaded file is read, and one that is missing is an error`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("serializer-\(UUID().uuidString)")
        try Data("content".utf8).write(to: file)

        #expect(
            try StringResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: file, error: nil) == "content")
        #expect(try URLResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: file, error: nil) == file)
        try FileManager.default.removeItem(at: file)
        let unread = serializationReason {
            _ = try DataResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: file, error: nil)
        }
        let missing = serializationReason {
            _ = try URLResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: nil, error: nil)
        }
        guard case .inputFileReadFailed(file) = unread, case .inputFileNil = missing else {
            Issue.record("unexpected \(String(describing: unread)), \(String(describing: missing))")
            return
        }
    }

    @Test func `serializers can be named by their static members`() throws {
        func run<S: ResponseSerializer>(_ serializer: S, _ data: Data) throws -> S.SerializedObject {
            try serializer.serialize(request: nil, response: nil, data: data, error: nil)
        }

        #expect(try run(.data, Data("x".utf8)) == Data("x".utf8))
        #expect(try run(.string, Data("x".utf8)) == "x")
        #expect(try run(.string(encoding: .utf16BigEndian), Data([0, 0x78])) == "x")
        #expect(try run(.decodable(of: [Int].self), Data("[1]".utf8)) == [1])
    }
}

/// Reaches a deprecated type through a protocol, which does not warn.
private protocol MakesSerializer {
    func make() -> any ResponseSerializer<any Sendable>
}

private struct MakesJSONSerializer: MakesSerializer {
    @available(*, deprecated)
    func make() -> any ResponseSerializer<any Sendable> { JSONResponseSerializer() }
}

@Suite struct JSONResponseSerializerTests {
    private let serializer = (MakesJSONSerializer() as any MakesSerializer).make()

    @Test func `JSON of unknown shape is read`() throws {
        let json = Data(#"{"a":[1,true,null,"x",{"b":1.5}]}"#.utf8)

        let value = try serializer.serialize(request: nil, response: nil, data: json, error: nil) as? [String: any Sendable]

        let array = try #require(value?["a"] as? [any Sendable])
        #expect(array.count == 5)
        #expect(array[0] as? Int == 1)
        #expect(array[1] as? Bool == true)
        #expect(array[2] is NSNull)
        #expect(array[3] as? String == "x")
        #expect((array[4] as? [String: any Sendable])?["b"] as? Double == 1.5)
    }

    @Test func `fragments and allowed emptiness are values, garbage is an error`() throws {
        #expect(try serializer.serialize(request: nil, response: nil, data: Data("5".utf8), error: nil) as? Int == 5)
        #expect(try serializer.serialize(request: request(.head), response: nil, data: nil, error: nil) is NSNull)
        #expect(throws: AFError.self) { try serializer.serialize(request: nil, response: nil, data: Data("{".utf8), error: nil) }
    }
}

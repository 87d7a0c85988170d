// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Failed: Error, Equatable {}

@Suite struct DataResponseTests {
    private func response<Value: Sendable>(_ result: AFResult<Value>) throws -> AFDataResponse<Value> {
        var request = try URLRequest(
            url: "https://user:hunter2@example.com/a?token=hunter2", method: .post,
            headers: [.authorization(bearerToken: "hunter2"), .accept("a/b")])
        request.httpBody = Data("password=hunter2".utf8)
        let response = HTTPURLResponse(
            url: try "https://example.com/a".asURL(), statusCode: 201, httpVersion: "HTTP/1.1",
            headerFields: ["Set-Cookie": "id=hunter2", "X-Kind": "plain"])
        return DataResponse(
            request: request, response: response, data: Data("hunter2".utf8), metrics: TransferMetrics(total: .milliseconds(5)),
            serializationDuration: 0.25, result: result)
    }

    private func download<Value: Sendable>(_ result: AFResult<Value>) throws -> AFDownloadResponse<Value> {
        DownloadResponse(
            request: try URLRequest(url: "https://example.com/?hunter2", method: .get), response: nil,
            fileURL: URL(fileURLWithPath: "/tmp/file"), resumeData: Data("hunter2".utf8), metrics: nil, serializationDuration: 0,
            result: result)
    }

    @Test func `value and error are those of the result`() throws {
        let success = try response(.success(1))
        let failure = try response(AFResult<Int>.failure(.explicitlyCancelled))

        #expect(success.value == 1)
        #expect(success.error == nil)
        #expect(failure.value == nil)
        #expect(failure.error?.isExplicitlyCancelledError == true)
    }

    @Test func `the operators change the result and keep everything else`() throws {
        let success = try response(.success(2))
        let failure = try response(AFResult<Int>.failure(.explicitlyCancelled))

        let mapped = success.map { $0 * 2 }
        #expect(mapped.value == 4)
        #expect(mapped.request?.url == success.request?.url)
        #expect(mapped.response === success.response)
        #expect(mapped.data == success.data)
        #expect(mapped.metrics == success.metrics)
        #expect(mapped.serializationDuration == 0.25)
        #expect(success.tryMap { _ -> Int in throw Failed() }.error as? Failed == Failed())
        #expect(success.tryMap { "\($0)" }.value == "2")
        #expect(failure.map { $0 * 2 }.error?.isExplicitlyCancelledError == true)
        #expect(failure.tryMap { $0 }.error?.asAFError?.isExplicitlyCancelledError == true)
        #expect(failure.mapError { _ in Failed() }.error == Failed())
        #expect(
            failure.tryMapError { _ -> Failed in throw AFError.sessionDeinitialized }.error?.asAFError?.isSessionDeinitializedError == true)
        #expect(failure.tryMapError { _ in Failed() }.error as? Failed == Failed())
        #expect(success.mapError { _ in Failed() }.value == 2)
    }

    @Test func `a download has the same operators`() throws {
        let success = try download(.success(2))
        let failure = try download(AFResult<Int>.failure(.explicitlyCancelled))

        #expect(success.map { $0 + 1 }.value == 3)
        #expect(success.map { $0 }.fileURL == success.fileURL)
        #expect(success.map { $0 }.resumeData == success.resumeData)
        #expect(success.tryMap { _ -> Int in throw Failed() }.error as? Failed == Failed())
        #expect(failure.mapError { _ in Failed() }.error == Failed())
        #expect(failure.tryMapError { _ in Failed() }.error as? Failed == Failed())
    }

    @Test func `descriptions say what happened and show no secret`() throws {
        let response = try response(.success("value"))
        let download = try download(.success("value"))

        #expect(response.description == #"success("value")"#)
        #expect(
            response.debugDescription == """
                [Request]: POST https://example.com/a?…
                    [Headers]: 
                        Accept: a/b
                        Authorization: <redacted>
                    [Body]: 16 bytes
                [Response]:
                    [Status Code]: 201
                    [Headers]: 
                        Set-Cookie: <redacted>
                        X-Kind: plain
                    [Body]: 7 bytes
                [Network Duration]: 0.005 seconds
                [Serialization Duration]: 0.25s
                [Result]: success("value")
                """)
        #expect(download.debugDescription.contains("[Response]: none"))
        #expect(!(download.debugDescription + download.description).contains("hunter2"))
    }

    @Test func `a head that is made late is made only when asked for`() throws {
        let made = Locked(0)
        let head = HTTPURLResponse(url: try "https://h".asURL(), statusCode: 200, httpVersion: nil, headerFields: nil)
        let response = AFDataResponse<Int>(
            request: nil,
            responseSource: .lazy {
                made.withLock { $0 += 1 }
                return head
            }, data: nil, metrics: nil, serializationDuration: 0, result: .success(1))

        #expect(response.map { $0 }.value == 1)
        #expect(made.withLock { $0 } == 0)
        #expect(response.response === head)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct UploadTests {
    private static let streams = Session.capabilities.contains(.streamedBodies)
    private let session = Session.alone()
    private let folder: TemporaryFolder
    private let server: TestServer

    init() throws {
        folder = try TemporaryFolder()
        server = try TestServer { .ok($0.bodyText) }
    }

    private func retryOnce() -> Retrier {
        Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }
    }

    @Test func `data is sent with its length and without a type`() async throws {
        let text = try await session.upload(Data("text".utf8), to: server.url("/")).serializingString().value

        #expect(text == "text")
        #expect(server.requests[0].method == "POST")
        #expect(server.requests[0].fields.values("Content-Length") == ["4"])
        #expect(server.requests[0].fields.values("Content-Type").isEmpty)
    }

    @Test func `a file is sent with its length and without a type`() async throws {
        let file = try folder.file("a.txt", "from a file")

        let text = try await session.upload(file, to: server.url("/"), method: .put).serializingString().value

        #expect(text == "from a file")
        #expect(server.requests[0].method == "PUT")
        #expect(server.requests[0].fields.values("Content-Length") == ["11"])
        #expect(server.requests[0].fields.values("Content-Type").isEmpty)
        #expect(folder.names == ["a.txt"])
    }

    @Test(.enabled(if: UploadTests.streams, "the engine reads a stream before it sends"))
    func `a stream of unknown length is sent in chunks`() async throws {
        let text = try await session.upload(InputStream(data: Data("streamed".utf8)), to: server.url("/")).serializingString().value

        #expect(text == "streamed")
        #expect(server.requests[0].fields.values("Transfer-Encoding") == ["chunked"])
    }

    @Test func `a stream whose length the caller says is sent with it`() async throws {
        var urlRequest = try URLRequest(url: server.url("/"), method: .post)
        urlRequest.setValue("8", forHTTPHeaderField: "Content-Length")

        let text = try await session.upload(InputStream(data: Data("streamed".utf8)), with: urlRequest).serializingString().value

        #expect(text == "streamed")
        #expect(server.requests[0].fields.values("Content-Length") == ["8"])
    }

    @Test(arguments: [("7", "longer"), ("9", "shorter")])
    func `a stream that is not as long as the caller says fails`(length: String, word: String) async throws {
        var urlRequest = try URLRequest(url: server.url("/"), method: .post)
        urlRequest.setValue(length, forHTTPHeaderField: "Content-Length")

        let error = await session.upload(InputStream(data: Data("streamed".utf8)), with: urlRequest).serializingString().response.error

        #expect(error?.httpError?.kind == .bodyLengthMismatch, "the stream is \(word)")
    }

    @Test func `a stream of the request itself is sent, with the length that the caller says`() async throws {
        var urlRequest = try URLRequest(url: server.url("/"), method: .post)
        urlRequest.httpBodyStream = InputStream(data: Data("streamed".utf8))
        urlRequest.setValue("8", forHTTPHeaderField: "Content-Length")

        let text = try await session.request(urlRequest).serializingString().value

        #expect(text == "streamed")
        #expect(server.requests[0].fields.values("Content-Length") == ["8"])
    }

    @Test func `a file that is missing fails at once, and nothing is sent`() async throws {
        let file = folder.url.appendingPathComponent("missing")

        let error = await session.upload(file, to: server.url("/")).serializingString().response.error

        #expect(error?.httpError?.kind == .bodyUnreadable)
        #expect((error?.underlyingError as? URLError)?.code == .fileDoesNotExist)
        #expect(server.connectionCount == 0)
    }

    @Test func `a folder cannot be uploaded`() async throws {
        let error = await session.upload(folder.url, to: server.url("/")).serializingString().response.error

        #expect((error?.underlyingError as? URLError)?.code == .fileIsDirectory)
        #expect(server.connectionCount == 0)
    }

    /// Holds the transfer back until the file was changed: an adapter does not help, since a file is measured behind it.
    @Test(arguments: [3, 30])
    func `a file that changes its length before it is sent fails`(length: Int) async throws {
        let file = try folder.file("a.txt", "ten bytes.")
        let session = Session.alone(startRequestsImmediately: false, requestSetup: .eager)

        let request = session.upload(file, to: server.url("/"))
        try Data(repeating: 0x61, count: length).write(to: file)
        let error = await request.serializingString().response.error

        #expect(error?.httpError?.kind == .bodyLengthMismatch)
    }

    // MARK: Forms

    private func form() throws -> MultipartFormData {
        let form = MultipartFormData(boundary: "b")
        form.append(Data("one".utf8), withName: "first")
        form.append(try folder.file("a.txt", "two"), withName: "second")
        return form
    }

    private static let encodedForm =
        "--b\r\nContent-Disposition: form-data; name=\"first\"\r\n\r\none"
        + "\r\n--b\r\nContent-Disposition: form-data; name=\"second\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--b--\r\n"

    @Test(arguments: [0, MultipartFormData.encodingMemoryThreshold])
    func `a form is the same from memory and from its parts`(threshold: UInt64) async throws {
        let request = session.upload(multipartFormData: try form(), to: server.url("/"), usingThreshold: threshold)

        #expect(try await request.serializingString().value == Self.encodedForm)
        #expect(server.requests[0].fields.values("Content-Type") == ["multipart/form-data; boundary=b"])
        #expect(server.requests[0].fields.values("Content-Length") == ["\(Self.encodedForm.utf8.count)"])
    }

    @Test func `the form's type replaces the request's own`() async throws {
        let request = session.upload(
            multipartFormData: try form(), to: server.url("/"), headers: ["content-type": "multipart/form-data; boundary=other"])

        _ = await request.serializingString().response

        #expect(server.requests[0].fields.values("Content-Type") == ["multipart/form-data; boundary=b"])
    }

    @Test(arguments: [0, MultipartFormData.encodingMemoryThreshold])
    func `a form without streams is sent again by a retry`(threshold: UInt64) async throws {
        server.enqueue(.serviceUnavailable)
        let request = session.upload(
            multipartFormData: try form(), to: server.url("/"), usingThreshold: threshold, interceptor: retryOnce()
        ).validate()

        #expect(try await request.serializingString().value == Self.encodedForm)
        #expect(server.requests.map(\.bodyText) == [Self.encodedForm, Self.encodedForm])
    }

    private func streamForm(length: UInt64 = 3) -> MultipartFormData {
        let form = MultipartFormData(boundary: "b")
        form.append(InputStream(data: Data("one".utf8)), withLength: length, name: "first", fileName: "f", mimeType: "a/b")
        return form
    }

    private static let encodedStreamForm =
        "--b\r\nContent-Disposition: form-data; name=\"first\"; filename=\"f\"\r\nContent-Type: a/b\r\n\r\none\r\n--b--\r\n"

    @Test(arguments: [0, MultipartFormData.encodingMemoryThreshold])
    func `a form may hold streams`(threshold: UInt64) async throws {
        let request = session.upload(multipartFormData: streamForm(), to: server.url("/"), usingThreshold: threshold)

        #expect(try await request.serializingString().value == Self.encodedStreamForm)
    }

    @Test(arguments: [0, MultipartFormData.encodingMemoryThreshold], [2, 4])
    func `a stream that is not as long as its part says fails the form`(threshold: UInt64, length: UInt64) async throws {
        let request = session.upload(multipartFormData: streamForm(length: length), to: server.url("/"), usingThreshold: threshold)

        let error = await request.serializingString().response.error

        let mismatch = error.map { Self.holdsMismatch($0) }
        #expect(mismatch == true, "\(String(describing: error))")
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    /// Whether the error is about a stream's length, wherever that is said.
    private static func holdsMismatch(_ error: any Error) -> Bool {
        if error is AFError.UnexpectedInputStreamLength { return true }
        if let error = error as? HTTPError { return error.underlyingError.map { holdsMismatch($0) } ?? (error.kind == .bodyLengthMismatch) }
        if let error = error as? AFError {
            if case .multipartEncodingFailed(.inputStreamReadFailed(let inner)) = error { return holdsMismatch(inner) }
            return error.underlyingError.map { holdsMismatch($0) } ?? false
        }
        if let error = error as? URLError { return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { holdsMismatch($0) } ?? false }
        return false
    }

    @Test func `a small form with a stream was read into memory and can be sent again`() async throws {
        server.enqueue(.serviceUnavailable)
        let request = session.upload(multipartFormData: streamForm(), to: server.url("/"), interceptor: retryOnce()).validate()

        #expect(try await request.serializingString().value == Self.encodedStreamForm)
    }

    @Test func `a form whose file is missing fails before anything is sent`() async throws {
        let form = MultipartFormData(boundary: "b")
        form.append(folder.url.appendingPathComponent("missing.txt"), withName: "first")

        let error = await session.upload(multipartFormData: form, to: server.url("/")).serializingString().response.error

        #expect(error?.isMultipartEncodingError == true)
        #expect(server.connectionCount == 0)
    }

    // MARK: Retry

    @Test func `a retry sends data again`() async throws {
        server.enqueue(.serviceUnavailable)

        let request = session.upload(Data("text".utf8), to: server.url("/"), interceptor: retryOnce()).validate()

        #expect(try await request.serializingString().value == "text")
        #expect(server.requests.map(\.bodyText) == ["text", "text"])
    }

    @Test func `a retry of a stream fails with an error that says so, and no further one is tried`() async throws {
        server.enqueue(.serviceUnavailable)
        let asked = EventRecorder<Int>()
        let retrier = Retrier { request, _, _, completion in
            asked.record(request.retryCount)
            completion(.retry)
        }

        let request = session.upload(InputStream(data: Data("once".utf8)), to: server.url("/"), interceptor: retrier).validate()
        let error = await request.serializingString().response.error

        #expect(error?.httpError?.kind == .bodyNotReplayable)
        #expect(asked.events == [0])
        #expect(server.requestCount == 1)
    }

    @Test func `a retry of a request with a stream of its own fails with an error that says so`() async throws {
        server.enqueue(.serviceUnavailable)
        var urlRequest = try URLRequest(url: server.url("/"), method: .post)
        urlRequest.httpBodyStream = InputStream(data: Data("once".utf8))

        let error = await session.request(urlRequest, interceptor: retryOnce()).validate().serializingString().response.error

        #expect(error?.httpError?.kind == .bodyNotReplayable)
        #expect(server.requestCount == 1)
    }

    /// Opens a new stream for each attempt.
    private struct FreshStream: URLRequestConvertible {
        let url: URL
        func asURLRequest() throws -> URLRequest {
            var request = try URLRequest(url: url, method: .post)
            request.httpBodyStream = InputStream(data: Data("fresh".utf8))
            return request
        }
    }

    @Test func `a retry of a request that opens a new stream each time is sent`() async throws {
        server.enqueue(.serviceUnavailable)

        let request = session.request(FreshStream(url: server.url("/")), interceptor: retryOnce()).validate()

        #expect(try await request.serializingString().value == "fresh")
        #expect(server.requests.map(\.bodyText) == ["fresh", "fresh"])
    }

    @Test func `progress begins anew at a retry, in a new object`() async throws {
        server.enqueue(.status(503, String(repeating: "x", count: 9000)))

        let request = session.upload(Data(count: 1000), to: server.url("/"), interceptor: retryOnce()).validate()
        let first = (up: request.uploadProgress, down: request.downloadProgress)
        _ = await request.serializingData().response

        #expect(first.up !== request.uploadProgress)
        #expect(first.down.completedUnitCount == 9000)
        #expect(request.uploadProgress.completedUnitCount == 1000)
        #expect(request.downloadProgress.completedUnitCount == 1000)
    }

    @Test func `a handler of progress may be added when the request is under way`() async throws {
        let gate = TestGate()
        server.enqueue(.ok(String(repeating: "x", count: 9000)).stalled(by: gate))
        let counts = EventRecorder<Int64>()

        let request = session.request(server.url("/"))
        let task = request.serializingData()
        request.downloadProgress(queue: DispatchQueue(label: "test")) { counts.record($0.completedUnitCount) }
        gate.open()
        _ = await task.response

        #expect(try await counts.wait { $0.last == 9000 }.last == 9000)
        #expect(request.downloadProgress.fractionCompleted == 1)
    }

    /// Makes an uploadable whose file is the upload's to remove.
    private struct OwnFile: UploadConvertible {
        let url: URL
        let file: URL
        func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .post) }
        func createUploadable() throws -> UploadRequest.Uploadable { .file(file, shouldRemove: true) }
    }

    @Test func `a file that is the upload's own is there for a retry after a serializer, and gone at the end`() async throws {
        let file = try folder.file("own", "mine")
        let request = UploadRequest(
            OwnFile(url: server.url("/"), file: file), session: session, interceptor: retryOnce(), fileManager: .default)

        let response = await request.serializingDecodable([Int].self).response

        #expect(response.error?.isResponseSerializationError == true)
        #expect(server.requests.map(\.bodyText) == ["mine", "mine"])
        #expect(folder.names.isEmpty)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct ValidationTests {
    private let session = Session.alone()

    private func error(_ response: ScriptedResponse, _ prepare: (DataRequest) -> DataRequest) async throws -> AFError? {
        let server = try TestServer { _ in response }
        let request = prepare(session.request(server.url("/")))
        return await request.serializingData(emptyResponseCodes: [200, 201]).response.error
    }

    @Test(arguments: [(200, true), (204, true), (299, true), (300, false), (304, false), (404, false), (500, false)])
    func `only the range 200 to 299 is acceptable by default`(status: Int, passes: Bool) async throws {
        let error = try await error(.status(status, status == 204 || status == 304 ? "" : "text")) { $0.validate() }

        #expect(error?.responseCode == (passes ? nil : status))
    }

    @Test func `the caller's own statuses are acceptable instead`() async throws {
        #expect(try await error(.status(404, "text")) { $0.validate(statusCode: [404]) } == nil)
        #expect(try await error(.status(200, "text")) { $0.validate(statusCode: 400..<500) }?.responseCode == 200)
    }

    @Test(arguments: [
        ("application/json", ["application/json"], true), ("application/json; charset=utf-8", ["application/json"], true),
        ("APPLICATION/JSON", ["application/json"], true), ("text/html", ["application/json"], false), ("text/html", ["text/*"], true),
        ("text/html", ["*/html"], true), ("text/html", ["*/*"], true), ("text/html", ["application/json", "text/html"], true),
        ("nonsense", ["text/html"], false), ("nonsense", ["*/*"], true), ("text/html", [], false),
    ])
    func `media types match by their halves`(type: String, acceptable: [String], passes: Bool) async throws {
        let response = ScriptedResponse(200, fields: ["Content-Type": type], content: .bytes(Data("x".utf8)))

        let error = try await error(response) { $0.validate(contentType: acceptable) }

        #expect(error == nil || !passes)
        #expect((error != nil) == !passes)
        if type != "nonsense" { #expect(error?.responseContentType == (passes ? nil : type)) }
    }

    @Test func `a response without a type passes only if any will do`() async throws {
        let response = ScriptedResponse(200, content: .bytes(Data("x".utf8)))

        let missing = try await error(response) { $0.validate(contentType: ["text/html"]) }
        #expect(missing?.acceptableContentTypes == ["text/html"])
        #expect(try await error(response) { $0.validate(contentType: ["*/*"]) } == nil)
    }

    @Test func `a response without content is not asked for its type`() async throws {
        let response = ScriptedResponse(200, fields: ["Content-Type": "text/html"])

        #expect(try await error(response) { $0.validate(contentType: ["application/json"]) } == nil)
    }

    @Test(arguments: [("text/html", true), ("image/png", false), ("application/json", true)])
    func `the request's Accept field says what is acceptable`(type: String, passes: Bool) async throws {
        let server = try TestServer { _ in ScriptedResponse(200, fields: ["Content-Type": type], content: .bytes(Data("x".utf8))) }

        let request = session.request(server.url("/"), headers: ["Accept": "text/*, application/json;q=0.5"]).validate()

        #expect((await request.serializingData().response.error == nil) == passes)
    }

    private struct Reason: Error { let word: String }

    @Test func `validators run in the order in which they were added, up to the first failure`() async throws {
        let calls = EventRecorder<String>()

        let error = try await error(.ok("text")) { request in
            request.validate { request, response, data in
                calls.record("first \(request?.url?.path ?? "") \(response.statusCode) \(data?.count ?? 0)")
                return .success(())
            }.validate { _, _, _ in
                calls.record("second")
                return .failure(Reason(word: "no"))
            }.validate { _, _, _ in
                calls.record("third")
                return .success(())
            }
        }

        guard case .responseValidationFailed(.customValidationFailed(let reason))? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect((reason as? Reason)?.word == "no")
        #expect(calls.events == ["first / 200 4", "second"])
    }

    @Test func `validators do not run for a transfer that failed`() async throws {
        let calls = EventRecorder<Void>()

        let error = try await error(.reset) { request in
            request.validate { _, _, _ in
                calls.record(())
                return .success(())
            }
        }

        #expect(error?.isSessionTaskError == true)
        #expect(calls.events.isEmpty)
    }

    @Test func `the data of a response that was refused is still there`() async throws {
        let server = try TestServer { _ in .status(422, "the reason") }

        let response = await session.request(server.url("/")).validate().serializingString().response

        #expect(response.error?.responseCode == 422)
        #expect(response.data == Data("the reason".utf8))
        #expect(response.response?.statusCode == 422)
    }
}

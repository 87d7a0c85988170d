// SPDX-License-Identifier: MIT

import Moya
import Testing

@Suite struct ResponseTests {
    private let url = URL(string: "https://h")!

    @Test func `a response describes itself by status and length`() {
        let response = Response(statusCode: 200, data: Data(count: 43))

        #expect(response.description == "Status Code: 200, Data Length: 43")
        #expect(response.debugDescription == response.description)
    }

    @Test func `responses are equal by status, data and head, whatever the request`() {
        let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        let one = Response(statusCode: 200, data: Data("a".utf8), request: URLRequest(url: url), response: head)

        #expect(one == Response(statusCode: 200, data: Data("a".utf8), request: nil, response: head))
        #expect(one != Response(statusCode: 201, data: Data("a".utf8), response: head))
        #expect(one != Response(statusCode: 200, data: Data("b".utf8), response: head))
        #expect(one != Response(statusCode: 200, data: Data("a".utf8), response: nil))
        #expect(one.response === head)
    }

    @Test(arguments: [
        (199, false, false), (200, true, true), (299, true, true), (300, false, true), (399, false, true), (400, false, false),
    ])
    func `filters take what is in their range`(statusCode: Int, isSuccess: Bool, isSuccessOrRedirect: Bool) {
        let response = Response(statusCode: statusCode, data: Data())

        #expect(((try? response.filterSuccessfulStatusCodes()) === response) == isSuccess)
        #expect(((try? response.filterSuccessfulStatusAndRedirectCodes()) === response) == isSuccessOrRedirect)
    }

    @Test func `filters take any range and any code`() throws {
        let response = Response(statusCode: 404, data: Data())
        let negative = Response(statusCode: -1, data: Data())

        #expect(try response.filter(statusCodes: 400..<500) === response)
        #expect(try response.filter(statusCodes: 400...) === response)
        #expect(try response.filter(statusCodes: ..<405) === response)
        #expect(try response.filter(statusCodes: ...404) === response)
        #expect(try response.filter(statusCode: 404) === response)
        #expect(try negative.filter(statusCode: -1) === negative)
    }

    @Test func `a refused response is in the error`() {
        let response = Response(statusCode: 404, data: Data())

        let error = #expect(throws: MoyaError.self) { try response.filter(statusCode: 405) }

        guard case .statusCode(let refused)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(refused === response)
    }

    @Test func `responses and errors make results`() throws {
        let head = HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil)
        let error = NSError(domain: "d", code: 7)
        let request = URLRequest(url: url)

        let success = try convertResponseToResult(head, request: request, data: nil, error: nil).get()
        #expect(success.statusCode == 404)
        #expect(success.data.isEmpty)
        #expect(success.response === head)
        #expect(success.request?.url == url)

        let both = convertResponseToResult(head, request: nil, data: Data("x".utf8), error: error)
        guard case .failure(.underlying(let inner as NSError, let partial?)) = both else { return #expect(Bool(false), "\(both)") }
        #expect(inner === error)
        #expect(partial.data == Data("x".utf8))

        let failure = convertResponseToResult(nil, request: nil, data: Data("x".utf8), error: error)
        guard case .failure(.underlying(let only as NSError, nil)) = failure else { return #expect(Bool(false), "\(failure)") }
        #expect(only === error)

        let neither = convertResponseToResult(nil, request: request, data: Data("x".utf8), error: nil)
        guard case .failure(.underlying(let unknown as NSError, nil)) = neither else { return #expect(Bool(false), "\(neither)") }
        #expect(unknown.domain == NSURLErrorDomain)
        #expect(unknown.code == NSURLErrorUnknown)
    }
}

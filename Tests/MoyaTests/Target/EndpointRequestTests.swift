// SPDX-License-Identifier: MIT

import HTTPSessions
import Moya
import Testing

@Suite struct EndpointRequestTests {
    private func endpoint(
        _ task: Task, method: Moya.Method = .post, url: String = "https://h/p", headers: [String: String]? = nil
    ) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: { .networkResponse(200, Data()) }, method: method, task: task, httpHeaderFields: headers)
    }

    private struct Meal: Codable, Sendable {
        var firstDish: String
    }

    @Test(arguments: ["some invalid URL", "", "https://h/ä b", "http://[::1", "https://h/%zz"])
    func `text that is not a URL is refused`(url: String) {
        let error = #expect(throws: MoyaError.self) { try endpoint(.requestPlain, url: url).urlRequest() }

        guard case .requestMapping(url)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `tasks that are added when they are sent leave the request alone`() throws {
        let tasks: [Task] = [
            .requestPlain, .uploadFile(URL(fileURLWithPath: "/tmp/x")), .uploadMultipartFormData([]),
            .downloadDestination { url, _ in (url, []) },
        ]
        for task in tasks {
            let request = try endpoint(task, method: .get).urlRequest()

            #expect(request.httpBody == nil)
            #expect(request.allHTTPHeaderFields?.isEmpty ?? true)
            #expect(request.url?.absoluteString == "https://h/p")
            #expect(request.httpMethod == "GET")
        }
    }

    @Test func `fields are exactly those of the endpoint`() throws {
        let request = try endpoint(.requestPlain, headers: ["A": "1", "B": "2"]).urlRequest()

        #expect(request.allHTTPHeaderFields == ["A": "1", "B": "2"])
        #expect(request.httpMethod == "POST")
    }

    @Test func `data is the content, without a type`() throws {
        let request = try endpoint(.requestData(Data("x".utf8))).urlRequest()

        #expect(request.httpBody == Data("x".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test func `an encodable value is JSON with a type`() throws {
        let request = try endpoint(.requestJSONEncodable(Meal(firstDish: "soup"))).urlRequest()

        #expect(request.httpBody == Data("{\"firstDish\":\"soup\"}".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `a type that the target has, however it is spelled, is kept`() throws {
        let request = try endpoint(.requestJSONEncodable(Meal(firstDish: "soup")), headers: ["content-TYPE": "application/vnd.meal"])
            .urlRequest()

        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/vnd.meal")
    }

    @Test func `an encoder of the caller's is used`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase

        let request = try endpoint(.requestCustomJSONEncodable(Meal(firstDish: "soup"), encoder: encoder)).urlRequest()

        #expect(request.httpBody == Data("{\"first_dish\":\"soup\"}".utf8))
    }

    @Test func `an encoder's error is in the failure`() {
        let task = Task.requestJSONEncodable(["x": Double.nan])

        let error = #expect(throws: MoyaError.self) { try endpoint(task).urlRequest() }

        guard case .encodableMapping(let inner)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(inner is EncodingError)
    }

    @Test func `parameters go where the encoding puts them`() throws {
        let query = try endpoint(.requestParameters(parameters: ["a": 1], encoding: URLEncoding.default), method: .get).urlRequest()
        let form = try endpoint(.requestParameters(parameters: ["a": 1], encoding: URLEncoding.default)).urlRequest()
        let json = try endpoint(.downloadParameters(parameters: ["a": 1], encoding: JSONEncoding.default) { url, _ in (url, []) })
            .urlRequest()

        #expect(query.url?.absoluteString == "https://h/p?a=1")
        #expect(form.httpBody == Data("a=1".utf8))
        #expect(json.httpBody == Data("{\"a\":1}".utf8))
    }

    @Test func `composite tasks fill body and query`() throws {
        let data = try endpoint(.requestCompositeData(bodyData: Data("x".utf8), urlParameters: ["a": 1])).urlRequest()
        let both = try endpoint(
            .requestCompositeParameters(bodyParameters: ["b": 2], bodyEncoding: JSONEncoding.default, urlParameters: ["a": 1])
        ).urlRequest()
        let form = try endpoint(
            .requestCompositeParameters(bodyParameters: ["b": 2], bodyEncoding: URLEncoding.httpBody, urlParameters: ["a": 1])
        ).urlRequest()
        let multipart = try endpoint(.uploadCompositeMultipartFormData([], urlParameters: ["a": 1])).urlRequest()

        #expect(data.httpBody == Data("x".utf8))
        #expect(data.url?.query == "a=1")
        #expect(both.httpBody == Data("{\"b\":2}".utf8))
        #expect(both.url?.query == "a=1")
        #expect(form.httpBody == Data("b=2".utf8))
        #expect(multipart.httpBody == nil)
        #expect(multipart.url?.query == "a=1")
    }

    @Test(arguments: [URLEncoding.Destination.methodDependent, .queryString])
    func `body parameters with an encoding that may write the query are refused`(destination: URLEncoding.Destination) {
        let task = Task.requestCompositeParameters(
            bodyParameters: [:], bodyEncoding: URLEncoding(destination: destination), urlParameters: [:])

        let error = #expect(throws: MoyaError.self) { try endpoint(task).urlRequest() }

        guard case .parameterEncoding(let inner)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(inner as? MoyaMisuse == .compositeEncodingWritesQuery)
        #expect(inner.localizedDescription.contains("urlParameters"))
    }

    private struct Refusal: Error, Equatable {}
    private struct RefusingEncoding: ParameterEncoding {
        func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest { throw Refusal() }
    }

    @Test func `a custom encoding's error is in the failure as it is`() {
        let error = #expect(throws: MoyaError.self) {
            try endpoint(.requestParameters(parameters: [:], encoding: RefusingEncoding())).urlRequest()
        }

        guard case .parameterEncoding(let inner)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(inner is Refusal)
    }

    @Test func `adding fields makes a new endpoint and replaces without regard to case`() {
        let original = endpoint(.requestPlain, headers: ["accept": "a", "B": "b"])

        let changed = original.adding(newHTTPHeaderFields: ["Accept": "c"])

        #expect(changed.httpHeaderFields == ["Accept": "c", "B": "b"])
        #expect(original.httpHeaderFields == ["accept": "a", "B": "b"])
        #expect(endpoint(.requestPlain).adding(newHTTPHeaderFields: [:]).httpHeaderFields == nil)
        #expect(endpoint(.requestPlain).adding(newHTTPHeaderFields: ["A": "1"]).httpHeaderFields == ["A": "1"])
    }

    @Test func `replacing the task changes nothing else`() {
        let original = endpoint(.requestPlain, headers: ["A": "1"])

        let changed = original.replacing(task: .requestData(Data("x".utf8)))

        #expect(String(describing: changed.task).hasPrefix("requestData"))
        #expect(String(describing: original.task).hasPrefix("requestPlain"))
        #expect(changed.url == original.url)
        #expect(changed.method == original.method)
        #expect(changed.httpHeaderFields == original.httpHeaderFields)
    }
}

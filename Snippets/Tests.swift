// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya

struct Weather: TargetType {
    let baseURL: URL
    var path: String { "/today" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data(#"{"sky": "clear"}"#.utf8) }
}

// snippet.stub
func stubbedSky() async throws -> String {
    let provider = MoyaProvider<Weather>(stubClosure: MoyaProvider.immediatelyStub)
    let response = try await provider.request(Weather(baseURL: URL(string: "https://weather.example")!))
    return try response.mapString(atKeyPath: "sky")
}
// snippet.end

// snippet.server
func skyAfterABusyServer() async throws -> [String] {
    let server = try TestServer()
    defer { server.close() }
    server.enqueue(.serviceUnavailable, .ok(#"{"sky": "cloudy"}"#))

    let provider = MoyaProvider<Weather>()
    let first = try await provider.request(Weather(baseURL: server.baseURL))
    let second = try await provider.request(Weather(baseURL: server.baseURL))
    precondition(first.statusCode == 503 && second.statusCode == 200)
    return server.requests.map(\.target)
}
// snippet.end

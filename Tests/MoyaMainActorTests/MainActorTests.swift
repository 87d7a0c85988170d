// SPDX-License-Identifier: MIT

import Moya
import Testing

/// Declared as the guide says for code whose default isolation is the main actor.
nonisolated enum Kiosk: TargetType {
    case papers

    var baseURL: URL { URL(string: "https://kiosk.example")! }
    var path: String { "/papers" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var sampleData: Data { Data(#"[{"title": "Morning"}, {"title": "Evening"}]"#.utf8) }
    var headers: [String: String]? { nil }
}

/// Declared as usual, so it belongs to the main actor.
enum Stand: TargetType {
    case papers

    var baseURL: URL { URL(string: "https://stand.example")! }
    var path: String { "/papers" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var sampleData: Data { Data(#"[{"title": "Noon"}]"#.utf8) }
    var headers: [String: String]? { nil }
}

struct Paper: Decodable {
    let title: String
}

nonisolated struct Naming: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue("kiosk", forHTTPHeaderField: "X-Name")
        return request
    }
}

/// State that an interface shows.
final class Shelf {
    private(set) var titles: [String] = []
    private let kiosk = MoyaProvider<Kiosk>(stubClosure: MoyaProvider.immediatelyStub, plugins: [Naming()])
    private let stand = MoyaProvider<Stand>(stubClosure: { _ in .immediate }, plugins: [Naming()])

    func load() async throws {
        titles = try await kiosk.request(.papers).map([Paper].self).map(\.title)
        titles += try await stand.request(.papers).map([Paper].self).map(\.title)
    }

    func loadWithProgress() async throws {
        for try await step in kiosk.requestWithProgress(.papers) {
            if let response = step.response { titles = try response.map([Paper].self).map(\.title) }
        }
    }

    func loadWithCallback() {
        stand.request(.papers) { result in
            self.titles = (try? result.get().map([Paper].self).map(\.title)) ?? []
        }
    }
}

/// Code as new Xcode projects compile it.
struct MainActorTests {
    private let shelf = Shelf()

    @Test func `an awaited request fills state of the main actor`() async throws {
        try await shelf.load()
        #expect(shelf.titles == ["Morning", "Evening", "Noon"])
    }

    @Test func `the steps of a request fill it, too`() async throws {
        try await shelf.loadWithProgress()
        #expect(shelf.titles == ["Morning", "Evening"])
    }

    @Test func `a callback fills it before an immediate stub's request returns`() {
        shelf.loadWithCallback()
        #expect(shelf.titles == ["Noon"])
    }
}

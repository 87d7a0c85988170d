// SPDX-License-Identifier: MIT

// snippet.import
import ReactiveMoya

// snippet.end

enum Radio: TargetType {
    case stations
    case recording

    var baseURL: URL { URL(string: "https://radio.example")! }
    var path: String { self == .stations ? "/stations" : "/recording" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}

struct Station: Decodable, Sendable {
    let name: String
}

let radio = MoyaProvider<Radio>()

// snippet.start
func showStations() -> Disposable {
    radio.reactive.request(.stations)
        .filterSuccessfulStatusCodes()
        .map([Station].self)
        .observe(on: UIScheduler())
        .startWithResult { result in
            switch result {
            case .success(let stations): print(stations.map(\.name))
            case .failure(let error): print(error.localizedDescription)
            }
        }
}
// snippet.end

// snippet.progress
func listen() -> Disposable {
    radio.reactive.requestWithProgress(.recording).start { event in
        switch event {
        case .value(let step): print(step.response.map { "\($0.data.count) bytes" } ?? "\(Int(step.progress * 100)) %")
        case .failed(let error): print(error.localizedDescription)
        case .completed, .interrupted: break
        }
    }
}
// snippet.end

// snippet.async
func firstStation() async throws -> Station? {
    for try await stations in radio.reactive.request(.stations).map([Station].self).values {
        return stations.first
    }
    return nil
}
// snippet.end

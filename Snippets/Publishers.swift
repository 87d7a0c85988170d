// SPDX-License-Identifier: MIT

// Compiled where the system has Combine, and with the trait OpenCombine.

import CombineMoya
import Moya

#if canImport(Combine)
import Combine
#elseif canImport(OpenCombine)
import OpenCombine
#endif

#if canImport(Combine) || canImport(OpenCombine)
enum Radio: TargetType {
    case stations

    var baseURL: URL { URL(string: "https://radio.example")! }
    var path: String { "/stations" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}

struct Station: Decodable, Sendable {
    let name: String
}

let radio = MoyaProvider<Radio>()

// snippet.start
func showStations() -> AnyCancellable {
    radio.requestPublisher(.stations)
        .filterSuccessfulStatusCodes()
        .map([Station].self)
        .sink { completion in
            if case .failure(let error) = completion { print(error.localizedDescription) }
        } receiveValue: { stations in
            print(stations.map(\.name))
        }
}
// snippet.end
#endif

// SPDX-License-Identifier: MIT

// Compiled with the trait RxSwift.

import Moya
import RxMoya

#if canImport(RxSwift)
import RxSwift

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
func showStations() -> Disposable {
    radio.rx.request(.stations)
        .filterSuccessfulStatusCodes()
        .map([Station].self)
        .subscribe(
            onSuccess: { stations in print(stations.map(\.name)) },
            onFailure: { error in print(error.localizedDescription) })
}
// snippet.end
#endif

// SPDX-License-Identifier: MIT

// Compiled with the trait RxSwift.

import Moya
import RxMoya

#if canImport(RxSwift)
import RxSwift

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
    radio.rx.request(.stations)
        .filterSuccessfulStatusCodes()
        .map([Station].self)
        .subscribe(
            onSuccess: { stations in print(stations.map(\.name)) },
            onFailure: { error in print(error.localizedDescription) })
}
// snippet.end

// snippet.progress
func listen() -> Disposable {
    radio.rx.requestWithProgress(.recording).subscribe(
        onNext: { step in print(step.response.map { "\($0.data.count) bytes" } ?? "\(Int(step.progress * 100)) %") },
        onError: { error in print(error.localizedDescription) })
}
// snippet.end

// snippet.dispose
final class StationList {
    private let loading = SerialDisposable()

    /// A load that is still going on is cancelled.
    func reload() {
        loading.disposable = showStations()
    }

    deinit { loading.dispose() }
}
// snippet.end

// snippet.latest
func stations(on refreshes: Observable<Void>) -> Observable<[Station]> {
    refreshes.flatMapLatest {
        radio.rx.request(.stations)
            .map([Station].self)
            .catchAndReturn([])
    }
}
// snippet.end

// snippet.errors
func advice(on error: any Error) -> String {
    guard let error = error as? MoyaError else { return error.localizedDescription }
    return error.response.map { "The radio answered \($0.statusCode)." } ?? error.localizedDescription
}
// snippet.end
#endif

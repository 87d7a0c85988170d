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

// snippet.progress
func listen() -> AnyCancellable {
    radio.requestWithProgressPublisher(.recording).sink { completion in
        if case .failure(let error) = completion { print(error.localizedDescription) }
    } receiveValue: { step in
        print(step.response.map { "\($0.data.count) bytes" } ?? "\(Int(step.progress * 100)) %")
    }
}
// snippet.end

// snippet.cancel
final class StationList {
    private var loading: AnyCancellable?

    /// A load that is still going on is cancelled; so is the last one when the list is released.
    func reload() {
        loading = showStations()
    }
}
// snippet.end

// snippet.latest
func stations(on refreshes: AnyPublisher<Void, Never>) -> AnyPublisher<[Station], Never> {
    refreshes
        .map {
            radio.requestPublisher(.stations)
                .map([Station].self)
                .replaceError(with: [])
        }
        .switchToLatest()
        .eraseToAnyPublisher()
}
// snippet.end

// snippet.errors
func advice(on error: MoyaError) -> String {
    error.response.map { "The radio answered \($0.statusCode)." } ?? error.localizedDescription
}
// snippet.end
#endif

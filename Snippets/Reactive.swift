// SPDX-License-Identifier: MIT

// snippet.import
import ReactiveMoya

// snippet.end

enum Radio: TargetType {
    case stations
    case search(String)
    case recording

    var baseURL: URL { URL(string: "https://radio.example")! }
    var path: String {
        switch self {
        case .stations, .search: "/stations"
        case .recording: "/recording"
        }
    }
    var method: Moya.Method { .get }
    var task: Moya.Task {
        switch self {
        case .search(let words): .requestParameters(parameters: ["q": words], encoding: URLEncoding.default)
        case .stations, .recording: .requestPlain
        }
    }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
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

// snippet.dispose
final class StationList {
    private var loading: ScopedDisposable<AnyDisposable>?

    /// A load that is still going on is cancelled; so is the last one when the list is released.
    func reload() {
        loading = ScopedDisposable(showStations())
    }
}
// snippet.end

// snippet.latest
func results(for words: Signal<String, Never>) -> Signal<[Station], Never> {
    words
        .debounce(0.3, on: QueueScheduler.main)
        .flatMap(.latest) { words in
            radio.reactive.request(.search(words))
                .map([Station].self)
                .flatMapError { _ in .empty }
        }
}
// snippet.end

// snippet.errors
func advice(on error: MoyaError) -> String {
    switch (error as NSError).code {
    case 401: "Log in first."
    case 404: "There is no such station."
    case MoyaErrorCode.objectMapping.rawValue: "The radio speaks another language: \(error.response?.data.count ?? 0) bytes."
    default: error.localizedDescription
    }
}
// snippet.end

// snippet.queues
func decodeInBackground() -> SignalProducer<[Station], MoyaError> {
    radio.reactive.request(.stations, callbackQueue: DispatchQueue(label: "decoding"))
        .map([Station].self)
        .observe(on: UIScheduler())
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

// snippet.producer
func stationNames() -> SignalProducer<[String], any Error> {
    SignalProducer(async: {
        let response = try await radio.request(.stations)
        return try response.map([Station].self).map(\.name)
    })
}
// snippet.end

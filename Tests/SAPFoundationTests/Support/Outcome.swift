// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation

/// What a completion handler was told.
struct Outcome: Sendable {
    let data: Data?
    let response: HTTPURLResponse?
    let error: (any Error)?

    var status: Int? { response?.statusCode }
    var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
}

extension SAPURLSession {
    /// Runs a task to its end.
    func outcome(of request: URLRequest) async -> Outcome {
        let recorder = EventRecorder<Outcome>()
        dataTask(with: request) { data, response, error in
            recorder.record(Outcome(data: data, response: response as? HTTPURLResponse, error: error))
        }.resume()
        let outcomes = (try? await recorder.wait(for: 1)) ?? []
        return outcomes.first ?? Outcome(data: nil, response: nil, error: CancellationError())
    }

    func outcome(of url: URL) async -> Outcome { await outcome(of: URLRequest(url: url)) }
}

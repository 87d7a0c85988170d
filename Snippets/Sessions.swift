// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

// snippet.awaiting
struct Reading: Decodable, Sendable {
    let level: Double
}

let session = Session(interceptor: RetryPolicy(retryLimit: 3))

func tide(at port: String) async throws -> Double {
    try await session.request("https://tides.example/now", parameters: ["port": port])
        .validate()
        .serializingDecodable(Reading.self)
        .value.level
}
// snippet.end

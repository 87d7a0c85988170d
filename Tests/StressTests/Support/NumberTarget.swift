// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Moya

/// A request that carries its number, which the server sends back.
struct NumberTarget: TargetType, Sendable {
    var baseURL: URL
    var number: Int
    var isUpload = false

    var path: String { "/\(number)" }
    var method: Moya.Method { isUpload ? .post : .get }
    var task: Task { isUpload ? .requestData(Data(repeating: UInt8(truncatingIfNeeded: number), count: number % 20_000)) : .requestPlain }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
}

/// How often each request has completed.
final class Tally: Sendable {
    private let counts: Locked<[UInt8]>

    init(_ count: Int) { counts = Locked(Array(repeating: 0, count: count)) }

    func count(_ number: Int) { counts.withLock { $0[number] &+= 1 } }

    /// The numbers that did not complete exactly once.
    var wrong: [Int] { counts.withLock { counts in counts.indices.filter { counts[$0] != 1 } } }
}

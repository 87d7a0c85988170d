// SPDX-License-Identifier: MIT

import Moya

// snippet.login
/// The log-in at a server: its token, and the way to another one when that has ended.
final class Login: @unchecked Sendable {  // what changes is under the lock
    private struct Grant: Decodable {
        let accessToken: String
        let expiresIn: TimeInterval
    }

    private let provider = MoyaProvider<AuthorizationAPI>(callbackQueue: DispatchQueue(label: "login"))
    private let secret: String
    private let now: @Sendable () -> Date
    private let lock = NSLock()
    private var grant: (token: String, end: Date)?
    private var waiting: [(MoyaError?) -> Void] = []
    private var logIns = 0

    init(secret: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.secret = secret
        self.now = now
    }

    var token: String { lock.withLock { grant?.token ?? "" } }
    var count: Int { lock.withLock { logIns } }

    /// Calls `body` when there is a good token, with nil, or when none could be had; logs in once for all who wait.
    func whenGood(_ body: @escaping (MoyaError?) -> Void) {
        let (isGood, isFirst) = lock.withLock {
            if let grant, grant.end > now() { return (true, false) }
            waiting.append(body)
            return (false, waiting.count == 1)
        }
        if isGood { return body(nil) }
        if isFirst { provider.request(.logIn(secret: secret)) { [self] in finish($0) } }
    }

    private func finish(_ result: Result<Response, MoyaError>) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var failure: MoyaError?
        var new: Grant?
        do {
            new = try result.get().filterSuccessfulStatusCodes().map(Grant.self, using: decoder)
        } catch {
            failure = error as? MoyaError ?? .underlying(error, nil)
        }
        let callbacks = lock.withLock {
            if let new {
                grant = (new.accessToken, now().addingTimeInterval(new.expiresIn))
                logIns += 1
            }
            defer { waiting = [] }
            return waiting
        }
        for callback in callbacks { callback(failure) }
    }
}
// snippet.end

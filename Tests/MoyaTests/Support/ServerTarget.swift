// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Moya

extension AnyTarget {
    /// A target on a test's own server.
    static func on(
        _ server: TestServer, _ path: String = "/p", method: Moya.Method = .get, task: Task = .requestPlain,
        validation: ValidationType = .none, headers: [String: String]? = nil
    ) -> AnyTarget {
        AnyTarget(baseURL: server.baseURL, path: path, method: method, task: task, validationType: validation, headers: headers)
    }
}

extension MoyaProvider {
    /// A provider that shares neither cookies nor credentials with other tests.
    static func alone(plugins: [any PluginType] = []) -> MoyaProvider {
        MoyaProvider(
            session: Session(configuration: URLSessionConfiguration.af.ephemeral, startRequestsImmediately: false), plugins: plugins)
    }

    /// The outcome of the callback form, for tests that await it.
    nonisolated(nonsending) func result(
        of target: Target, callbackQueue: DispatchQueue? = nil, progress: ProgressBlock? = nil, cancelledBy cancel: Bool = false
    ) async -> Result<Moya.Response, MoyaError> {
        await callbackValue { callback in
            let request = request(target, callbackQueue: callbackQueue, progress: progress) { callback($0) }
            if cancel { request.cancel() }
        }
    }
}

extension MoyaProvider {
    /// Returns when every key is gone, which is after the last completion has returned; a key that stays ends in the suite's time limit.
    nonisolated(nonsending) func waitUntilNothingIsInFlight() async {
        while !inflightRequests.isEmpty { await _Concurrency.Task.yield() }
    }
}

/// A folder that is gone when the test is over.
struct ScratchFolder: ~Copyable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

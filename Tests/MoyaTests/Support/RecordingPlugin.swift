// SPDX-License-Identifier: MIT

import HTTPMessages
import Moya

/// Writes down what happens, from any thread.
final class Journal: Sendable {
    private let lines = Locked<[String]>([])

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    var entries: [String] { lines.withLock { $0 } }
}

/// A plugin that writes every call into a journal, and adds its name to requests and results.
struct RecordingPlugin: PluginType {
    let name: String
    let journal: Journal

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        journal.note("\(name) prepare")
        var request = request
        request.setValue((request.value(forHTTPHeaderField: "X-Plugins") ?? "") + name, forHTTPHeaderField: "X-Plugins")
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) {
        journal.note("\(name) willSend \(request.request?.value(forHTTPHeaderField: "X-Plugins") ?? "-")")
    }

    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        journal.note("\(name) didReceive \(result.summary)")
    }

    func process(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) -> Result<Moya.Response, MoyaError> {
        journal.note("\(name) process \(result.summary)")
        return result.map { response in
            Response(
                statusCode: response.statusCode, data: response.data + Data(name.utf8), request: response.request,
                response: response.response)
        }
    }
}

extension Result<Moya.Response, MoyaError> {
    /// Status and content of a response, or what the failure is.
    var summary: String {
        switch self {
        case .success(let response): "\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))"
        case .failure(let error): error.summary
        }
    }
}

extension MoyaError {
    /// The failure's case, the error inside it, and the status of its response.
    var summary: String {
        let status = response.map { " with \($0.statusCode)" } ?? ""
        guard let underlyingError else { return "\(code)\(status)" }
        if let error = underlyingError as? AFError { return "\(code): \(error.name)\(status)" }
        if let error = underlyingError as? MoyaError { return "\(code): \(error.code)\(status)" }
        if let error = underlyingError as? MoyaMisuse { return "\(code): \(error)\(status)" }
        let bridged = underlyingError as NSError
        return "\(code): \(bridged.domain) \(bridged.code)\(status)"
    }
}

extension AFError {
    /// The names of the case and of its reason.
    var name: String {
        switch self {
        case .explicitlyCancelled: "explicitlyCancelled"
        case .sessionTaskFailed(let error): "sessionTaskFailed \((error as? URLError)?.code.rawValue ?? 0)"
        case .responseValidationFailed(.unacceptableStatusCode(let code)): "unacceptableStatusCode \(code)"
        case .requestAdaptationFailed(let error): "requestAdaptationFailed \(error)"
        case .urlRequestValidationFailed(.bodyDataInGETRequest): "bodyDataInGETRequest"
        case .multipartEncodingFailed: "multipartEncodingFailed"
        case .downloadedFileMoveFailed: "downloadedFileMoveFailed"
        default: "\(self)"
        }
    }
}

/// Keeps what a completion got.
final class Outcome: Sendable {
    private let results = Locked<[Result<Moya.Response, MoyaError>]>([])

    func take(_ result: Result<Moya.Response, MoyaError>) { results.withLock { $0.append(result) } }

    var all: [Result<Moya.Response, MoyaError>] { results.withLock { $0 } }

    var only: Result<Moya.Response, MoyaError>? { all.count == 1 ? all[0] : nil }
}

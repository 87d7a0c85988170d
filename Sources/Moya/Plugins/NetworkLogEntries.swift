// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Makes the entries of a ``NetworkLoggerPlugin``'s events.
struct NetworkLogEntries {
    private let configuration: NetworkLoggerPlugin.Configuration
    private let target: any TargetType

    init(_ configuration: NetworkLoggerPlugin.Configuration, _ target: any TargetType) {
        self.configuration = configuration
        self.target = target
    }

    private var options: NetworkLoggerPlugin.Configuration.LogOptions { configuration.logOptions }
    private var redaction: LogRedaction { LogRedaction(showsSecrets: options.contains(.secrets)) }

    func entries(of request: any RequestType) -> [String] {
        guard let sent = request.request else { return [entry("Request", "(invalid request)")] }
        var entries = [entry("Request", redaction.text(ofURL: sent.description))]
        if options.contains(.requestHeaders) {
            entries.append(entry("Request Headers", redaction.text(of: Self.fields(of: sent, over: request.sessionHeaders))))
        }
        if options.contains(.requestBody) {
            if let stream = sent.httpBodyStream { entries.append(entry("Request Body Stream", stream.description)) }
            if let body = sent.httpBody {
                let text = configuration.formatter.requestData(body)
                entries.append(entry("Request Body", redaction.text(ofContent: text, sent.value(forHTTPHeaderField: "Content-Type"))))
            }
        }
        if options.contains(.requestMethod), let method = sent.httpMethod {
            entries.append(entry("HTTP Request Method", method))
        }
        return entries
    }

    func entries(of result: Result<Response, MoyaError>) -> [String] {
        switch result {
        case .success(let response):
            return entries(of: response, showsBody: options.contains(.successResponseBody))
        case .failure(let error):
            guard let response = error.response else { return [entry("Error", "Error calling \(redaction.text(of: target)) : \(error)")] }
            return entries(of: response, showsBody: options.contains(.errorResponseBody))
        }
    }

    private func entries(of response: Response, showsBody: Bool) -> [String] {
        var entries: [String] = []
        if let head = response.response {
            entries.append(entry("Response", redaction.text(of: head)))
        } else {
            entries.append(entry("Response", "Received empty network response for \(redaction.text(of: target))."))
        }
        if showsBody {
            let type = response.response?.value(forHTTPHeaderField: "Content-Type")
            let text = redaction.text(ofContent: configuration.formatter.responseData(response.data), type)
            entries.append(entry("Response Body", text))
        }
        return entries
    }

    private func entry(_ identifier: String, _ message: String) -> String {
        configuration.formatter.entry(identifier, message, target)
    }

    /// The fields that are sent: the session's where the request has none of that name.
    private static func fields(of request: URLRequest, over sessionFields: [String: String]) -> [String: String] {
        let own = request.allHTTPHeaderFields ?? [:]
        let ownNames = Set(own.keys.map { $0.lowercased() })
        return sessionFields.filter { !ownNames.contains($0.key.lowercased()) }.merging(own) { _, own in own }
    }
}

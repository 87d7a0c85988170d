// SPDX-License-Identifier: MIT

extension LoopbackAPI {
    func status(_ code: String) -> ScriptedResponse {
        guard let status = Int(code), (200...999).contains(status) else { return Self.badRequest("the status is not from 200 to 999") }
        var response = ScriptedResponse(status)
        switch status {
        case 301, 302, 303, 307, 308: response.fields.append("Location", LoopbackRoute.get.target())
        case 401: response.fields.append("WWW-Authenticate", "Basic realm=\"loopback\"")
        case 407: response.fields.append("Proxy-Authenticate", "Basic realm=\"loopback\"")
        default: break
        }
        return response
    }

    func redirect(_ count: String) -> ScriptedResponse {
        guard let count = Int(count), count > 0 else { return Self.badRequest("the number of redirects is not positive") }
        return .redirect(to: count == 1 ? LoopbackRoute.get.target() : LoopbackRoute.redirect.target(String(count - 1)))
    }

    func redirectTo(_ request: RecordedRequest) -> ScriptedResponse {
        let items = request.queryItems
        guard let url = items["url"], !url.utf8.contains(where: { $0 < 0x20 }) else { return Self.badRequest("there is no url") }
        let status = items["status_code"].flatMap { Int($0) } ?? 302
        return .redirect(to: url, status: (300..<400).contains(status) ? status : 302)
    }

    func responseHeaders(_ request: RecordedRequest) -> ScriptedResponse {
        let items = request.queryItems
        guard !items.contains(where: { ($0.name + $0.value).utf8.contains { $0 < 0x20 } }) else {
            return Self.badRequest("a control character in a field")
        }
        var response = ScriptedResponse.json(JSONValue(items))
        if items.contains("Content-Type") { response.fields["Content-Type"] = nil }
        response.fields.append(contentsOf: items)
        return response
    }

    func unstable(key: String, failures: String) -> ScriptedResponse {
        guard let failures = Int(failures) else { return Self.badRequest("the number of failures is no number") }
        let attempt = state.withLock { state in
            state.failures[key, default: 0] += 1
            return state.failures[key, default: 0]
        }
        if attempt <= failures { return .serviceUnavailable(retryAfter: .seconds(1)) }
        return .json(["key": .string(key), "attempts": .int(attempt)])
    }

    func delay(_ name: String, _ request: RecordedRequest) -> ScriptedResponse {
        let response = ScriptedResponse.json(echo(request, withContent: true, withMethod: true))
        guard let seconds = Double(name), seconds >= 0, seconds <= 3600 else { return response.stalled(by: gate(name)) }
        return response.with(.pause(.seconds(seconds), clock), at: .responseStart)
    }
}

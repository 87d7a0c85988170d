// SPDX-License-Identifier: MIT

extension LoopbackAPI {
    /// The cookies of a request, in their order (RFC 6265, 4.2).
    static func cookies(of request: RecordedRequest) -> FieldList {
        var cookies = FieldList()
        for pair in request.fields.values("Cookie").joined(separator: ";").split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            cookies.append(String(parts[0]), String(parts[1]))
        }
        return cookies
    }

    func changeCookies(_ request: RecordedRequest, _ line: (FieldList.Field) -> String) -> ScriptedResponse {
        let items = request.queryItems
        let isValid = items.allSatisfy { item in
            !item.name.isEmpty && !(item.name + item.value).utf8.contains { $0 < 0x21 || $0 == UInt8(ascii: ";") || $0 == 0x7f }
        }
        guard isValid else { return Self.badRequest("this is no cookie") }
        var response = ScriptedResponse.redirect(to: LoopbackRoute.cookies.target())
        for item in items { response.fields.append("Set-Cookie", line(item)) }
        return response
    }
}

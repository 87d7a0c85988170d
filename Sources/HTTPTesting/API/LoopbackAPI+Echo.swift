// SPDX-License-Identifier: MIT

import Foundation

extension LoopbackAPI {
    func echo(_ request: RecordedRequest, withContent: Bool, withMethod: Bool = false) -> JSONValue {
        let fields = request.fields
        var members: [(String, JSONValue)] = [
            ("args", JSONValue(request.queryItems)), ("headers", JSONValue(fields)),
            ("url", .string("http://\(fields["Host"] ?? "")\(request.target)")),
        ]
        if withMethod { members.append(("method", .string(request.method))) }
        guard withContent else { return .object(members) }

        let type = fields["Content-Type"]?.lowercased() ?? ""
        var form = FieldList()
        var files = FieldList()
        var json = JSONValue.null
        if type.hasPrefix("application/x-www-form-urlencoded") {
            form = FormFields.parse(request.bodyText)
        } else if let parts = MultipartForm.parts(of: request) {
            for part in parts {
                let text = String(decoding: part.content, as: UTF8.self)
                if part.filename == nil { form.append(part.name, text) } else { files.append(part.name, text) }
            }
        } else if (try? JSONSerialization.jsonObject(with: request.body, options: .fragmentsAllowed)) != nil {
            json = .verbatim(request.bodyText)
        }
        let isForm = !form.isEmpty || !files.isEmpty
        members += [
            ("data", .string(isForm ? "" : request.bodyText)), ("form", JSONValue(form)), ("files", JSONValue(files)), ("json", json),
        ]
        return .object(members)
    }

    func parts(of request: RecordedRequest) -> ScriptedResponse {
        guard let parts = MultipartForm.parts(of: request) else { return Self.badRequest("this is no well-formed multipart form") }
        let values = parts.map { part -> JSONValue in
            .object([
                ("name", .string(part.name)), ("filename", part.filename.map { .string($0) } ?? .null),
                ("type", part.contentType.map { .string($0) } ?? .null), ("bytes", .int(part.content.count)),
                ("text", part.content.count > 4096 ? .null : String(data: part.content, encoding: .utf8).map { .string($0) } ?? .null),
            ])
        }
        return .json(["parts": .array(values)])
    }
}

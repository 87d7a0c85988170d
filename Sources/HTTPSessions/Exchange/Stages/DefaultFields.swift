// SPDX-License-Identifier: MIT

import HTTPMessages

/// Adds the configuration's fields to what the request sets itself; the request's win.
struct DefaultFields: ExchangeStage {
    private let fields: HTTPFields

    init(_ fields: HTTPFields) { self.fields = fields }

    func prepare(_ message: inout HTTPRequest, options: inout TransferOptions, in exchange: Exchange) {
        guard !message.fields.isEmpty else {
            message.fields = fields
            return
        }
        message.fields.reserveCapacity(message.fields.count + fields.count)
        for field in fields where !message.fields.contains(name: field.name) {
            message.fields.append(name: field.name, value: field.value)
        }
    }
}

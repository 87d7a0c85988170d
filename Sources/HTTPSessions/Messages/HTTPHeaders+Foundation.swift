// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// `httpAdditionalHeaders` as fields: what is sent with each request that does not set the field itself.
    public var headers: HTTPHeaders {
        get { HTTPHeaders(stringEntriesOf: httpAdditionalHeaders ?? [:]) }
        set { httpAdditionalHeaders = newValue.dictionary }
    }
}

extension HTTPURLResponse {
    /// The response's fields, in the order of their names; repeated fields come joined by commas, as Foundation holds them.
    public var headers: HTTPHeaders {
        HTTPHeaders(stringEntriesOf: allHeaderFields)
    }
}

extension HTTPHeaders {
    /// The entries whose key and value are strings; others cannot be fields.
    init(stringEntriesOf dictionary: [AnyHashable: Any]) {
        var strings: [String: String] = [:]
        strings.reserveCapacity(dictionary.count)
        for (name, value) in dictionary {
            if let name = name.base as? String, let value = value as? String {
                strings[name] = value
            }
        }
        self.init(strings)
    }
}

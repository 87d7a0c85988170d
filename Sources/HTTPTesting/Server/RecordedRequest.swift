// SPDX-License-Identifier: MIT

import Foundation

/// A request as it came over the wire.
public struct RecordedRequest: Sendable {
    /// The method, as written.
    public let method: String
    /// The request target, as written: neither decoded nor normalized.
    public let target: String
    /// The version, as written: `HTTP/1.1`.
    public let version: String
    /// Every byte of the head, up to and with the empty line that ends it.
    public let rawHead: Data
    /// Its place among all requests whose head the server has read, from 0.
    public let number: Int
    /// The number of the connection it came on, from 0 in the order in which connections were accepted.
    public let connection: Int
    /// Its place among the requests on its connection, from 0: more than 0 means that the connection was used again.
    public let indexOnConnection: Int

    /// The content without its transfer coding; empty under ``TestServer/BodyPolicy/count``, and not longer than the limit otherwise.
    public internal(set) var body = Data()
    /// How many bytes of content have been read.
    public internal(set) var bodyByteCount = 0
    /// The ``ContentHash`` of all content read, under ``TestServer/BodyPolicy/hash``.
    public internal(set) var bodyHash: UInt64?
    /// The trailer fields that followed a chunked body.
    public internal(set) var trailers: FieldList = [:]
    /// Whether the request was read to its end.
    public internal(set) var isComplete = false
    /// How many bytes of responses, heads and framing included, the system has taken from the server for this request so far.
    public internal(set) var responseByteCount = 0
    /// Whether the response could make no progress for ``TestServer/Configuration/stalledWriteThreshold`` because the client reads nothing.
    public internal(set) var isResponseStalled = false

    init(method: String, target: String, version: String, rawHead: Data, number: Int, connection: Int, indexOnConnection: Int) {
        self.method = method
        self.target = target
        self.version = version
        self.rawHead = rawHead
        self.number = number
        self.connection = connection
        self.indexOnConnection = indexOnConnection
    }

    /// The fields, parsed from ``rawHead`` at each use.
    public var fields: FieldList {
        rawHead.withUnsafeBytes { HeadParser.fields(inHead: $0) }
    }

    /// The request target up to its query, as written.
    public var path: String {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
        return String(target[..<mark])
    }

    /// The request target after its first `?`, as written; nil if there is none.
    public var query: String? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(target[target.utf8.index(after: mark)...])
    }

    /// The query's items, percent-decoded, `+` read as a space; an item without `=` has an empty value.
    public var queryItems: FieldList {
        FormFields.parse(query ?? "")
    }

    /// The content as UTF-8; bytes that are not become replacement characters.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }
}

extension RecordedRequest: CustomStringConvertible, CustomDebugStringConvertible {
    /// The request line, where it came, and how much content; no field and no content, which may hold secrets.
    public var description: String {
        "\(method) \(target) \(version) (\(bodyByteCount) bytes of content, connection \(connection), request \(indexOnConnection))"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
}

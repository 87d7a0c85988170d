// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import HTTPMessages

/// The field lines of a message as libcurl takes them, in one block of memory that never changes: a client sends the same fields with most
/// of its requests, which then share the block.
final class FieldBlock: @unchecked Sendable {  // nothing in it changes
    /// Whether the fields may be sent; if not, nothing else in here is of use.
    let isSendable: Bool
    /// The lines, nodes and text in this block's own memory.
    let lines: UnsafeMutablePointer<curl_slist>?
    /// The lines for the proxy alone.
    let proxyLines: UnsafeMutablePointer<curl_slist>?
    /// Whether `Expect` is among them.
    let hasExpect: Bool
    private let fields: HTTPFields
    /// The bytes of all names and values.
    private let byteCount: Int
    private let isASCII: Bool
    private let shape: PreparedRequest.Shape
    private let usesProxy: Bool
    private let memory: UnsafeMutablePointer<curl_slist>

    private init(_ fields: HTTPFields, shape: PreparedRequest.Shape, usesProxy: Bool) {
        self.fields = fields
        self.shape = shape
        self.usesProxy = usesProxy
        // Room for a node and the text of each line, those that switch off what libcurl adds by itself included.
        byteCount = Self.byteCount(of: fields)
        let textSize = FieldLines.suppressionSize + byteCount + 3 * fields.count
        let nodeCount = fields.count + FieldLines.suppressionCount
        // Allocated as nodes: what has no type gets its memory by a slower way.
        memory = .allocate(capacity: nodeCount + textSize / MemoryLayout<curl_slist>.stride + 1)
        let characters = UnsafeMutableRawPointer(memory + nodeCount).bindMemory(to: UInt8.self, capacity: textSize)

        var lines = FieldLines(nodes: memory, characters: characters)
        var isSendable = true
        for field in fields where isSendable { isSendable = lines.append(field, usesProxy: usesProxy) }
        lines.suppressDefaults(shape: shape)
        self.isSendable = isSendable
        self.lines = lines.first
        proxyLines = lines.firstForProxy
        hasExpect = lines.hasExpect
        isASCII = UnsafeBufferPointer(start: characters, count: lines.end - characters).allSatisfy { $0 < 0x80 }
    }

    deinit { memory.deallocate() }

    /// Whether these fields are made of the same bytes. Strings are equal when they only look the same, too; but what looks like ASCII text without
    /// being it is longer.
    private func holds(_ fields: HTTPFields) -> Bool {
        isASCII && self.fields == fields && byteCount == Self.byteCount(of: fields)
    }

    private static func byteCount(of fields: HTTPFields) -> Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    /// The block for these fields: `latest` if it is the same, otherwise a new one that takes its place.
    static func of(_ fields: HTTPFields, shape: PreparedRequest.Shape, usesProxy: Bool, latest: Locked<FieldBlock?>) -> FieldBlock {
        if let block = latest.withLock({ $0 }), block.shape == shape, block.usesProxy == usesProxy, block.holds(fields) {
            return block
        }
        let block = FieldBlock(fields, shape: shape, usesProxy: usesProxy)
        let former = latest.withLock { latest in
            defer { latest = block }
            return latest
        }
        withExtendedLifetime(former) {}
        return block
    }
}
#endif

// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting

extension CurlTransport {
    /// A transport with a changed configuration.
    static func with(_ change: (inout TransportConfiguration) -> Void) -> CurlTransport {
        var configuration = TransportConfiguration()
        change(&configuration)
        return CurlTransport(configuration: configuration)
    }

    /// Sends a request and waits for its end.
    func exchange(
        _ request: HTTPRequest, options: TransferOptions = TransferOptions(),
        into disposition: ContentDisposition = .collect(limit: 1 << 30)
    ) async throws -> Exchange {
        let receiver = RecordingReceiver(disposition)
        let control = start(request, options: options, receiver: receiver)
        return try await withTaskCancellationHandler {
            try await receiver.exchange()
        } onCancel: {
            control.cancel()
        }
    }

    /// A GET.
    func get(_ url: URL, options: TransferOptions = TransferOptions()) async throws -> Exchange {
        try await exchange(HTTPRequest(url: url), options: options)
    }

    /// What must be back at its number before when a test is over.
    var leakCounters: [LeakCounter] {
        [
            LeakCounter("live transfers") { self.statistics.liveTransfers },
            LeakCounter("easy handles in use") { self.statistics.handlesInUse },
        ]
    }
}

extension Exchange {
    /// `HTTP/1.1 200 OK` and so on, for a server that writes bytes.
    static func head(_ lines: String...) -> String {
        lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }
}

/// A directory of a test's own, removed with its content.
func withTemporaryDirectory<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("curl-engine-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
#endif

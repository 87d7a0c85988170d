// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages
import HTTPTesting

/// Hears of one transfer and keeps what it heard, in order.
final class RecordingReceiver: TransferReceiver {
    enum Event: Sendable {
        case interim(HTTPResponseHead)
        case head(HTTPResponseHead)
        case content(Data)
        case progress(TransferProgress)
        case end(TransferOutcome)

        var name: String {
            switch self {
            case .interim(let head): "interim \(head.status)"
            case .head(let head): "head \(head.status)"
            case .content: "content"
            case .progress: "progress"
            case .end(let outcome): "end \(outcome.error?.kind.rawValue ?? "well")"
            }
        }
    }

    let recorder = EventRecorder<Event>()
    private let disposition: @Sendable (HTTPResponseHead) -> ContentDisposition
    private let demand: @Sendable (Data) -> ContentDemand

    init(
        _ disposition: @escaping @Sendable (HTTPResponseHead) -> ContentDisposition,
        demand: @escaping @Sendable (Data) -> ContentDemand = { _ in .more }
    ) {
        self.disposition = disposition
        self.demand = demand
    }

    convenience init(_ disposition: ContentDisposition = .collect(limit: 1 << 30), demand: ContentDemand = .more) {
        self.init({ _ in disposition }, demand: { _ in demand })
    }

    func transferDidReceiveInterimHead(_ head: HTTPResponseHead) { recorder.record(.interim(head)) }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition {
        recorder.record(.head(head))
        return disposition(head)
    }

    func transferDidReceiveContent(_ bytes: Data) -> ContentDemand {
        recorder.record(.content(bytes))
        return demand(bytes)
    }

    func transferDidProgress(_ progress: TransferProgress) { recorder.record(.progress(progress)) }

    func transferDidFinish(_ outcome: TransferOutcome) { recorder.record(.end(outcome)) }

    // MARK: What was heard

    var names: [String] { recorder.events.map(\.name) }

    /// All content that came piece by piece.
    var content: Data {
        recorder.events.reduce(into: Data()) { if case .content(let bytes) = $1 { $0.append(bytes) } }
    }

    var endCount: Int {
        recorder.events.count { if case .end = $0 { true } else { false } }
    }

    /// Returns when the head is there.
    func waitForHead() async throws {
        _ = try await recorder.wait { events in events.contains { if case .head = $0 { true } else { false } } }
    }

    /// Returns when some content is there.
    func waitForContent() async throws {
        _ = try await recorder.wait { events in events.contains { if case .content = $0 { true } else { false } } }
    }

    /// Waits for the end.
    func exchange() async throws -> Exchange {
        let events = try await recorder.wait { if case .end = $0.last { true } else { false } }
        return Exchange(events: events)
    }
}

/// What came of a transfer.
struct Exchange {
    let events: [RecordingReceiver.Event]

    var names: [String] { events.map(\.name) }

    var head: HTTPResponseHead? {
        events.lazy.compactMap { if case .head(let head) = $0 { head } else { nil } }.first
    }

    var outcome: TransferOutcome {
        events.lazy.compactMap { if case .end(let outcome) = $0 { outcome } else { nil } }.first ?? TransferOutcome()
    }

    var status: Int? { head?.status }
    var error: HTTPError? { outcome.error }
    var text: String { String(decoding: outcome.content, as: UTF8.self) }
}
#endif

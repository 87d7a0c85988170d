// SPDX-License-Identifier: MIT

import Foundation

/// Writes one scripted response: turns it into bytes, keeps its pace, and lets its effects happen where they belong.
struct ResponseWriter {
    private enum Section { case head, body }

    private let stream: SocketStream
    private let response: ScriptedResponse
    private let progress: ResponseProgress
    private var pending: [ScriptedEffect]
    private var headByteCount = 0
    private var bodyByteCount = 0

    /// Effects of `phases` that are over when the writer starts have happened already.
    init(_ response: ScriptedResponse, on stream: SocketStream, progress: ResponseProgress) {
        self.response = response
        self.stream = stream
        self.progress = progress
        pending = response.effects
    }

    /// Writes everything and says what shall become of the connection.
    mutating func write(method: String, requestAsksForClose: Bool) throws(ExchangeEnd) -> ScriptedResponse.Ending {
        let plan = ResponsePlan(response, method: method, requestAsksForClose: requestAsksForClose)
        if pending.isEmpty, case .unlimited = response.pacing, let whole = plan.wholeIfSmall() {
            try write(whole)
            return plan.ending
        }
        try fire { phase in
            switch phase {
            case .requestHead, .requestBody, .responseStart: true
            case .responseHead, .responseHeadEnd, .responseBody, .responseEnd: false
            }
        }
        try emit(plan.head, .head)
        try fire { phase in
            if case .responseHead = phase { true } else { phase == .responseHeadEnd }
        }
        try plan.forEachPiece { piece throws(ExchangeEnd) in try emit(piece, .body) }
        try fire { _ in true }
        return plan.ending
    }

    private func write(_ bytes: Data) throws(ExchangeEnd) {
        // `withUnsafeBytes` carries no typed error across.
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, ExchangeEnd> in
            do throws(ExchangeEnd) {
                try progress.write(bytes, to: stream)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    private mutating func emit(_ bytes: Data, _ section: Section) throws(ExchangeEnd) {
        guard !pending.isEmpty else { return try paced(bytes, section) }
        var rest = bytes
        while !rest.isEmpty {
            let position = position(section)
            try fire { phase in Self.offset(of: phase, in: section).map { $0 <= position } ?? false }
            let next = pending.compactMap { Self.offset(of: $0.phase, in: section) }.min() ?? .max
            let count = min(rest.count, next - position)
            try paced(rest.prefix(count), section)
            rest = rest.dropFirst(count)
        }
    }

    private mutating func paced(_ bytes: Data, _ section: Section) throws(ExchangeEnd) {
        switch section {
        case .head: headByteCount += bytes.count
        case .body: bodyByteCount += bytes.count
        }
        if section == .head, !response.pacesHead { return try write(bytes) }
        var rest = bytes
        while !rest.isEmpty {
            switch response.pacing {
            case .unlimited:
                try write(rest)
                return
            case .released(let gate, let pieceSize):
                try stream.wait(at: gate)
                try write(rest.prefix(max(1, pieceSize)))
                rest = rest.dropFirst(max(1, pieceSize))
            case .throttled(let pieceSize, let pause, let clock):
                try write(rest.prefix(max(1, pieceSize)))
                rest = rest.dropFirst(max(1, pieceSize))
                try stream.pause(pause, on: clock)
            }
        }
    }

    private func position(_ section: Section) -> Int {
        switch section {
        case .head: headByteCount
        case .body: bodyByteCount
        }
    }

    private static func offset(of phase: ExchangePhase, in section: Section) -> Int? {
        switch (phase, section) {
        case (.responseHead(let offset), .head), (.responseBody(let offset), .body): offset
        case (.requestHead, _), (.requestBody, _), (.responseStart, _), (.responseHead, _), (.responseHeadEnd, _), (.responseBody, _),
            (.responseEnd, _):
            nil
        }
    }

    private mutating func fire(_ isDue: (ExchangePhase) -> Bool) throws(ExchangeEnd) {
        guard !pending.isEmpty else { return }
        let due = pending.filter { isDue($0.phase) }
        pending.removeAll { isDue($0.phase) }
        for effect in due { try effect.kind.happen(on: stream) }
    }
}

extension ScriptedEffect.Kind {
    func happen(on stream: SocketStream) throws(ExchangeEnd) {
        switch self {
        case .close: throw .close
        case .reset: throw .reset
        case .stall(let gate): try stream.wait(at: gate)
        case .pause(let duration, let clock): try stream.pause(duration, on: clock)
        }
    }
}

/// Counts what went out for one request.
struct ResponseProgress {
    let core: ServerCore
    let number: Int?

    func write(_ bytes: UnsafeRawBufferPointer, to stream: SocketStream) throws(ExchangeEnd) {
        try stream.write(
            bytes, threshold: core.configuration.stalledWriteThreshold,
            took: { count in core.update(number) { $0.responseByteCount += count } },
            stalled: { isStalled in core.update(number) { $0.isResponseStalled = isStalled } })
    }
}

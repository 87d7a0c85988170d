// SPDX-License-Identifier: MIT

import Foundation

/// One connection from its acceptance to its end, on a thread of its own.
struct ServerConnection {
    private let core: ServerCore
    private let descriptor: Int32
    private let number: Int
    private let stream: SocketStream
    private let reader: RequestReader

    init(core: ServerCore, descriptor: Int32, number: Int) {
        self.core = core
        self.descriptor = descriptor
        self.number = number
        stream = SocketStream(descriptor: descriptor)
        reader = RequestReader(stream: stream, headLimit: core.configuration.headLimit)
    }

    func run(_ opening: TestServer.Opening) {
        do throws(ExchangeEnd) {
            switch opening {
            case .serve: break
            case .close: throw .close
            case .reset: throw .reset
            case .stall(let gate): try stream.wait(at: gate)
            }
            var index = 0
            while try serveRequest(index) { index += 1 }
        } catch {
            switch error {
            case .close: stream.end(.close)
            case .reset: stream.end(.reset)
            case .peerGone: break
            }
        }
        core.connectionEnded(number, descriptor)
    }

    /// Serves one request.
    /// - Returns: whether another may follow.
    private func serveRequest(_ index: Int) throws(ExchangeEnd) -> Bool {
        do throws(RequestReader.Problem) {
            guard let rawHead = try reader.readHead() else { return false }
            let head: ParsedHead
            do throws(ProtocolViolation) { head = try parse(rawHead) } catch { throw .violation(error) }
            let (request, scripted) = core.requestStarted(head, rawHead: rawHead, connection: number, index: index)
            return try exchange(head, request, scripted ?? core.configuration.answersHead?(request))
        } catch {
            switch error {
            case .ended(let end): throw end
            case .violation(let violation):
                core.state.change { $0.violations.append(violation.sentence) }
                _ = try respond(.status(400, violation.sentence).closing(), to: nil, method: "GET", asksForClose: true)
                stream.end(.lingeringClose)
                return false
            }
        }
    }

    private func exchange(
        _ head: ParsedHead, _ recorded: RecordedRequest, _ decided: ScriptedResponse?
    ) throws(RequestReader.Problem) -> Bool {
        do throws(ExchangeEnd) {
            for effect in decided?.effects ?? [] where effect.phase == .requestHead { try effect.kind.happen(on: stream) }
        } catch { throw .ended(error) }

        let hasBody = head.isChunked || (head.contentLength ?? 0) > 0
        let waitsForContinue = hasBody && head.expectsContinue
        if let decided, decided.isEarly, hasBody {
            return try answerEarly(head, recorded, decided, mayStopSending: waitsForContinue)
        }
        if waitsForContinue {
            switch core.configuration.expectation {
            case .sendContinue: try send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), for: recorded)
            case .refuse: return try answerEarly(head, recorded, .status(417), mayStopSending: true)
            case .ignore: break
            }
        }

        var request = recorded
        try readBody(head, &request, effects: decided?.effects ?? [])
        core.requestCompleted(request)
        var response = decided ?? core.handler?(request) ?? .notFound
        if decided != nil {
            response.effects.removeAll { effect in
                switch effect.phase {
                case .requestHead, .requestBody: true
                case .responseStart, .responseHead, .responseHeadEnd, .responseBody, .responseEnd: false
                }
            }
        }
        return try finish(response, request, head, isReadToEnd: true)
    }

    /// Answers before the body is read. A client that waits for 100 may send the body or not, so that connection cannot go on.
    private func answerEarly(
        _ head: ParsedHead, _ recorded: RecordedRequest, _ early: ScriptedResponse, mayStopSending: Bool
    ) throws(RequestReader.Problem) -> Bool {
        var response = early
        response.effects.removeAll { $0.phase == .requestHead }
        if mayStopSending, response.ending == nil { response.ending = .close }
        guard try finish(response, recorded, head, isReadToEnd: false) else { return false }
        var request = recorded
        try readBody(head, &request, effects: [])
        core.requestCompleted(request)
        return true
    }

    private func finish(
        _ response: ScriptedResponse, _ request: RecordedRequest, _ head: ParsedHead, isReadToEnd: Bool
    ) throws(RequestReader.Problem) -> Bool {
        do throws(ExchangeEnd) {
            switch try respond(response, to: request, method: head.method, asksForClose: head.closesConnection) {
            case .keepAlive: return true
            case .close:
                stream.end(isReadToEnd ? .close : .lingeringClose)
                return false
            case .reset: throw .reset
            }
        } catch { throw .ended(error) }
    }

    private func respond(
        _ response: ScriptedResponse, to request: RecordedRequest?, method: String, asksForClose: Bool
    ) throws(ExchangeEnd) -> ScriptedResponse.Ending {
        var writer = ResponseWriter(response, on: stream, progress: ResponseProgress(core: core, number: request?.number))
        return try writer.write(method: method, requestAsksForClose: asksForClose)
    }

    private func send(_ bytes: Data, for request: RecordedRequest) throws(RequestReader.Problem) {
        do throws(ExchangeEnd) {
            _ = try respond(.raw(bytes, then: .keepAlive), to: request, method: request.method, asksForClose: false)
        } catch { throw .ended(error) }
    }

    private func readBody(
        _ head: ParsedHead, _ request: inout RecordedRequest, effects: [ScriptedEffect]
    ) throws(RequestReader.Problem) {
        var pending = effects.compactMap { effect -> (Int, ScriptedEffect.Kind)? in
            if case .requestBody(let offset) = effect.phase { (offset, effect.kind) } else { nil }
        }
        func fire(upTo count: Int) throws(ExchangeEnd) {
            guard !pending.isEmpty else { return }
            let due = pending.filter { $0.0 <= count }
            pending.removeAll { $0.0 <= count }
            for (_, kind) in due { try kind.happen(on: stream) }
        }

        var content = BodyCollector(core.configuration.bodyPolicy)
        let number = request.number
        request.trailers = try reader.readBody(head) { piece throws(ExchangeEnd) in
            content.add(piece)
            core.update(number) { $0.bodyByteCount = content.byteCount }
            try fire(upTo: content.byteCount)
        }
        do throws(ExchangeEnd) { try fire(upTo: .max) } catch { throw .ended(error) }
        request.body = content.kept
        request.bodyByteCount = content.byteCount
        request.bodyHash = content.hash?.value
        request.isComplete = true
    }

    private func parse(_ rawHead: Data) throws(ProtocolViolation) -> ParsedHead {
        let result = rawHead.withUnsafeBytes { bytes -> Result<ParsedHead, ProtocolViolation> in
            do throws(ProtocolViolation) { return .success(try HeadParser.parse(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// A request's content, as far as the policy keeps it.
private struct BodyCollector {
    private let policy: TestServer.BodyPolicy
    private(set) var kept = Data()
    private(set) var byteCount = 0
    private(set) var hash: ContentHash?

    init(_ policy: TestServer.BodyPolicy) {
        self.policy = policy
        if case .hash = policy { hash = ContentHash() }
    }

    mutating func add(_ piece: UnsafeRawBufferPointer) {
        byteCount += piece.count
        switch policy {
        case .keep(let limit): kept.append(contentsOf: piece.prefix(limit - kept.count))
        case .count: break
        case .hash: hash?.update(piece)
        }
    }
}

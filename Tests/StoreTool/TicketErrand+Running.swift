// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TicketErrand {
    func run() async -> [[Result]] {
        let transport = makeTransport()
        let session = Session(transport: transport, configuration: URLSessionConfiguration.af.ephemeral)
        async let beside = run(stepsBeside, by: session, over: transport)
        let results = await run(steps, by: session, over: transport)
        _ = await beside
        return withExtendedLifetime(session) { results }
    }

    private func run(_ steps: [Step], by session: Session, over transport: any HTTPTransport) async -> [[Result]] {
        var results: [[Result]] = []
        for step in steps {
            results.append(
                await withTaskGroup(of: Result.self) { group in
                    for _ in 0..<step.count {
                        group.addTask { step.isPlain ? await step.plain(over: transport) : await step.send(by: session) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                })
        }
        return results
    }

    private func makeTransport() -> any HTTPTransport {
        var configuration = TransportConfiguration()
        if let proxy, let host = proxy.host, let port = proxy.port {
            configuration.proxy = .proxy(ProxyServer(host: host, port: port), except: [])
        }
        if let authorities { configuration.tls.authorities = .pemFile(URL(fileURLWithPath: authorities)) }
        return DefaultTransport.make(configuration)
    }
}

extension TicketErrand.Step {
    private var content: Data { Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 % 251) }) }

    func send(by session: Session) async -> TicketErrand.Result {
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = method
        let request: DataRequest =
            if byteCount == 0 {
                session.request(urlRequest)
            } else if isOneShot {
                session.upload(InputStream(data: content), with: urlRequest)
            } else {
                session.upload(content, with: urlRequest)
            }
        if let user { request.authenticate(username: user, password: "not the ticket's") }
        let response = await request.serializingData(emptyResponseCodes: Set(200..<600)).response
        var result = TicketErrand.Result()
        if let head = response.response {
            result.status = head.statusCode
            result.user = head.value(forHTTPHeaderField: "X-User")
            result.proxyUser = head.value(forHTTPHeaderField: "X-Proxy-User")
            result.scheme = head.value(forHTTPHeaderField: "X-Scheme")
        }
        if let error = response.error { result.error = "\(error)" }
        result.set(response.data, response.metrics)
        return result
    }

    /// Without credentials, and without anybody who would answer a challenge.
    func plain(over transport: any HTTPTransport) async -> TicketErrand.Result {
        let receiver = PlainReceiver()
        return await withCheckedContinuation { continuation in
            receiver.start(HTTPRequest(method: method, url: url), over: transport) { continuation.resume(returning: $0) }
        }
    }
}

extension TicketErrand.Result {
    fileprivate mutating func set(_ content: Data?, _ metrics: TransferMetrics?) {
        byteCount = content?.count ?? 0
        if let content, content.count < 2_000 { text = String(decoding: content, as: UTF8.self) }
        ticketProblem = metrics?.ticketProblem
        localPort = metrics?.localPort
        isReused = metrics?.reusedConnection
    }
}

/// Hears of one transfer.
private final class PlainReceiver: TransferReceiver {
    private let state = Locked<(result: TicketErrand.Result, end: (@Sendable (TicketErrand.Result) -> Void)?)>((TicketErrand.Result(), nil))

    func start(_ request: HTTPRequest, over transport: any HTTPTransport, _ end: @escaping @Sendable (TicketErrand.Result) -> Void) {
        state.withLock { $0.end = end }
        _ = transport.start(request, options: TransferOptions(), receiver: self)
    }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition {
        state.withLock { state in
            state.result.status = head.status
            state.result.user = head.value(for: "X-User")
            state.result.scheme = head.value(for: "X-Scheme")
        }
        return .collect(limit: 1 << 20)
    }

    func transferDidFinish(_ outcome: TransferOutcome) {
        let (result, end) = state.withLock { state in
            if let error = outcome.error { state.result.error = error.kind.rawValue }
            state.result.set(outcome.content, outcome.metrics)
            return (state.result, state.end)
        }
        end?(result)
    }
}

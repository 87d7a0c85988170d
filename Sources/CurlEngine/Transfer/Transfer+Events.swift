// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// What libcurl's callbacks report. They run inside of libcurl, which must not be asked to end the transfer from here: a callback that
/// gives up notes why in ``Transfer/failure``, and libcurl then ends the transfer itself.
extension Transfer {
    // MARK: The connection

    /// A socket was opened for this transfer: also when a connection that was used again turns out to be closed and libcurl makes another.
    func connectionBegins() {
        guard !times.isConnecting else { return }
        times.connectBegan(at: loop.now)
        updateDeadline()
    }

    /// A connection stands, and nothing of the request was sent on it yet; `false` refuses it.
    func connectionStands(_ connection: () -> TrustVerdicts.Connection) -> Bool {
        times.connectionStands()
        times.activity(at: loop.now)
        connectParser = nil
        // libcurl answers it: it is not the final one, whatever comes next.
        holdsHead = false
        let trust = origin?.trust.flatMap { $0.judges ? $0 : nil }
        guard trust != nil || chainRequirement != nil else { return true }
        return judge(connection(), trust)
    }

    /// The policy's verdict on what the server showed, and whether that is what is required; a connection that stood already stands on what
    /// was found then.
    private func judge(_ connection: TrustVerdicts.Connection, _ trust: HostTrust?) -> Bool {
        guard let handle else { return false }
        let shown = CertificateChain.shown(to: handle.easy)
        guard let chain = shown.isEmpty ? multi.verdicts.chain(of: connection) : shown else {
            return refuse(
                "the server's certificate chain could not be looked at; try again on another connection",
                chainRequirement.map { _ in ChainNotAccepted(chain: nil) })
        }
        if !shown.isEmpty, let trust {
            do {
                try trust.policy.evaluate(chain, forHost: trust.host)
            } catch {
                return refuse("the server's certificate chain is not the one that is trusted", error)
            }
        }
        if let required = chainRequirement?.chain, required != chain {
            // What a connection that stood already showed was agreed to, but not last: another one is to show what counts.
            return refuse("nobody has agreed to the server's certificates", ChainNotAccepted(chain: shown.isEmpty ? nil : chain))
        }
        if !shown.isEmpty, connection.localPort > 0 { multi.verdicts.accept(connection, showing: chain) }
        return true
    }

    private func refuse(_ reason: String, _ underlyingError: (any Error)?) -> Bool {
        handle?.forbidReuse()
        failure = error(.serverTrustRefused, reason, underlyingError: underlyingError)
        return false
    }

    // MARK: Heads

    /// Lines of a head or trailer: libcurl gives one at a time, but those that it held while it paused in one piece; `false` gives up.
    func headerLinesArrived(_ lines: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = lines.baseAddress else { return true }
        var start = 0
        while start < lines.count {
            let lineFeed = memchr(base + start, 0x0A, lines.count - start)
            let end = lineFeed.map { UnsafeRawPointer(base).distance(to: UnsafeRawPointer($0)) + 1 } ?? lines.count
            guard headerLineArrived(UnsafeBufferPointer(start: base + start, count: end - start)) else { return false }
            start = end
        }
        return true
    }

    /// A line of a head, a trailer line, or the empty line behind a head; `false` gives up.
    private func headerLineArrived(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        times.activity(at: loop.now)
        guard failure == nil else { return false }
        handle?.headerLineArrived(line)
        if HeadParser.isStatusLine(line) { holdsHead = false }
        if times.isConnecting { return connectLineArrived(line) }
        switch parser.append(line) {
        case .incomplete: return true
        case .head: return headArrived()
        case .trailer: return deliverHeldHead()
        case .tooLarge:
            return giveUp(.headTooLarge, "the response's head is longer than \(multi.settings.configuration.limits.headBytes) bytes")
        case .malformed: return giveUp(.malformedResponse, "the response's head is not HTTP")
        case .conflictingContentLength:
            return giveUp(.conflictingContentLength, "the response's Content-Length contradicts itself, or stands beside Transfer-Encoding")
        }
    }

    /// The first field line begins with a space, and there is none that it could continue.
    func firstLineIsFolded() {
        _ =
            times.isConnecting
            ? giveUp(.proxyFailed, Self.proxyTalksNonsense) : giveUp(.malformedResponse, "the response's head is not HTTP")
    }

    private static let proxyTalksNonsense = "the head of the proxy's answer is not HTTP"

    /// Before the connection stands, what arrives is a proxy's answer to CONNECT; it is kept for the case that it refuses.
    private func connectLineArrived(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        var parser = connectParser ?? HeadParser(limit: multi.settings.configuration.limits.headBytes)
        let event = parser.append(line)
        connectParser = parser
        return switch event {
        case .tooLarge: giveUp(.headTooLarge, "the head of the proxy's answer is too long")
        case .malformed: giveUp(.proxyFailed, Self.proxyTalksNonsense)
        // What counts is how the tunnel's content ends, not the answer's, which has none (RFC 9110, 9.3.6).
        case .head, .conflictingContentLength: parser.status != 407 || proxyChallengeCame()
        case .incomplete, .trailer: true
        }
    }

    /// Without end, its content would keep libcurl from everything else; what is longer than a head may be ends the transfer, with the
    /// challenge.
    private func proxyChallengeCame() -> Bool {
        handle?.watchChallenge(limit: multi.settings.configuration.limits.headBytes)
        return options.proxyAuthentication == nil || challengeCame()
    }

    private func headArrived() -> Bool {
        if 100..<200 ~= parser.status, parser.status != 101 {
            receiver?.transferDidReceiveInterimHead(parser.takeHead())
            return true
        }
        // libcurl may answer these by itself; then another head comes, and this one was not the final one.
        switch parser.status {
        case 401: holdsHead = options.authentication != nil
        case 407: holdsHead = options.proxyAuthentication != nil
        case 417: holdsHead = prepared.expectsContinue
        default: holdsHead = false
        }
        guard holdsHead else { return deliverHead() }
        return parser.status == 417 || challengeCame()
    }

    /// libcurl answers for as long as a server gives it something to answer to; `false` gives up.
    private func challengeCame() -> Bool {
        challengeCount += 1
        guard challengeCount > multi.settings.configuration.limits.challenges else { return true }
        return giveUp(.credentialsUnusable, "\(challengeCount) challenges came, one upon the answer to the other; the log-in leads nowhere")
    }

    /// The head that was held is the final one after all.
    func deliverHeldHead() -> Bool {
        guard holdsHead else { return true }
        holdsHead = false
        return deliverHead()
    }

    /// The head of a proxy that refused CONNECT takes the place of the server's.
    func deliverProxyChallenge() -> Bool { deliverHead() }

    private func deliverHead() -> Bool {
        let head = parser.takeHead()
        if head.status == 204, head.version < .http2, parser.contentLength ?? 0 > 0 || parser.hasTransferCoding {
            // There must be none (RFC 9110, 15.3.5); what comes nevertheless must not be read as the next response.
            handle?.forbidReuse()
        }
        origin?.speaks(head.version)
        guard machine.headArrived(), let receiver else { return true }
        reportProgress()
        let disposition = receiver.transferDidReceiveHead(head)
        if case .wait = disposition {
            machine.decisionWasPutOff()
            return true
        }
        guard let error = open(disposition) else { return true }
        failure = error
        return false
    }

    /// Prepares what the content goes to; returns why that is not possible, if it is not.
    func open(_ disposition: ContentDisposition) -> HTTPError? {
        switch disposition {
        case .collect(let limit): sink = .memory(expected: decodedLength, limit: limit)
        case .file(let file, let appending):
            do {
                sink = try .opened(file, appending: appending)
            } catch {
                return self.error(.destinationNotWritable, error.reason)
            }
        case .stream: sink = .receiver
        case .discard(let limit): sink = .nowhere(remaining: limit)
        case .cancel: return error(.cancelled, "it was cancelled when its head arrived")
        case .wait: break
        }
        return nil
    }

    /// How much content will come, if the head says so.
    private var decodedLength: Int64? {
        parser.hasContentCoding && options.decodesContent ? nil : parser.contentLength
    }

    // MARK: Content

    /// A piece of content; the answer is its length, CURL_WRITEFUNC_PAUSE or, to give up, another number.
    func contentArrived(_ bytes: UnsafeRawBufferPointer) -> Int {
        times.activity(at: loop.now)
        guard deliverHeldHead() else { return 0 }
        switch machine.contentArrived() {
        case .hold: return Int(CURL_WRITEFUNC_PAUSE)
        case .refuse:
            _ = giveUp(.malformedResponse, "content came without a head that it could belong to")
            return 0
        case .take: break
        }
        guard !bytes.isEmpty else { return 0 }
        let result = sink.take(bytes)
        bytesReceived += Int64(bytes.count)
        switch result {
        case .taken: break
        case .forReceiver:
            if receiver?.transferDidReceiveContent(Data(bytes)) == .pause { machine.receiverIsFull() }
        case .enough:
            hasEnough = true
            return 0
        case .failed(let kind, let reason):
            bytesReceived -= Int64(bytes.count)
            return giveUp(kind, reason) ? bytes.count : 0
        }
        reportProgress()
        return !parser.hasContentCoding || ratioIsPlausible ? bytes.count : 0
    }

    /// Whether the content has not grown beyond all measure by undoing its coding.
    private var ratioIsPlausible: Bool {
        guard options.decodesContent, bytesReceived > 1 << 20, let handle else { return true }
        // libcurl counts a piece when it is done with it, hence the allowance for one more.
        let onWire = handle.contentBytesOnWire + Int64(EasyHandle.receiveBufferSize)
        let ratio = multi.settings.configuration.limits.decompressionRatio
        guard bytesReceived / Int64(max(1, ratio)) > onWire else { return true }
        return giveUp(.contentTooLarge, "the content grew to more than \(ratio) times its size when its coding was undone")
    }

    // MARK: The body

    func bodyIsWanted(_ buffer: UnsafeMutableRawBufferPointer) -> BodySender.Answer {
        times.activity(at: loop.now)
        guard !machine.holdsSending else { return .wait }
        guard let answer = sender?.read(into: buffer, transfer: self) else { return .bytes(0) }
        switch answer {
        case .bytes: reportProgress()
        case .wait: break
        case .failed(let kind, let reason, let cause): _ = giveUp(kind, reason, underlyingError: cause)
        }
        return answer
    }

    /// libcurl has to send the body from its start, as when a connection that was used again turns out to be closed.
    func bodyIsWantedAgain() -> Bool {
        guard sender?.rewind() == false else { return true }
        return giveUp(.bodyNotReplayable, "the content must be sent again, but can be read only once; send it from memory or a file")
    }

    // MARK: Both

    private func reportProgress() {
        guard options.reportsProgress, let receiver else { return }
        let length = request.body?.length
        receiver.transferDidProgress(
            TransferProgress(
                bytesSent: sender?.sentCount ?? length ?? 0, bytesToSend: request.body == nil ? 0 : length,
                bytesReceived: bytesReceived, bytesToReceive: decodedLength))
    }

    private func giveUp(_ kind: HTTPError.Kind, _ reason: String, underlyingError: (any Error)? = nil) -> Bool {
        if failure == nil { failure = error(kind, reason, underlyingError: underlyingError) }
        return false
    }
}
#endif

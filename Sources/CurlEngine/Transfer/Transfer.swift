// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages
import Synchronization

/// One request on its way, from ``CurlTransport/start(_:options:receiver:)`` to its end.
///
/// What its events mean is the ``TransferStateMachine``'s to say; this class carries it out, on the loop's thread. How it is steered from
/// outside is in `Transfer+Control.swift`, what libcurl reports in `Transfer+Events.swift`.
final class Transfer: @unchecked Sendable {  // what is not constant is touched on the loop's thread only
    // Any thread.
    let options: TransferOptions
    let multi: MultiHandle
    let prepared: PreparedRequest
    /// What was asked for since the loop last looked, of ``Wishes``.
    let wishes = Atomic<UInt8>(0)

    // Loop thread only.
    private(set) var request: HTTPRequest
    var receiver: (any TransferReceiver)?
    var machine = TransferStateMachine()
    var handle: EasyHandle?
    var origin: OriginQueue?
    /// Whether it waits for its turn in the line of its origin.
    var isInLine = false
    var parser: HeadParser
    var sink = ContentSink.undecided
    var sender: BodySender?
    var times: TransferTimes
    var bytesReceived: Int64 = 0
    /// What went wrong before libcurl noticed, which then only reports that a callback gave up.
    var failure: HTTPError?
    /// The transfer was cut off on purpose, with all that was wanted of it.
    var hasEnough = false
    /// A head that libcurl may answer by itself waits for what comes behind it.
    var holdsHead = false
    /// libcurl is to be told anew which directions stand still.
    var pausesHaveChanged = false
    private var slot = -1
    private var rare: Rare?

    /// What few transfers have, kept out of the others' way.
    private final class Rare {
        var connectParser: HeadParser?
        var heldMeasurement: TransferMeasurement?
        var challengeCount = 0
    }

    init(_ request: consuming HTTPRequest, options: consuming TransferOptions, receiver: any TransferReceiver, multi: MultiHandle) {
        times = TransferTimes(options.timeouts)
        prepared = PreparedRequest(request, multi: multi)
        self.request = request
        self.options = options
        self.receiver = receiver
        self.multi = multi
        parser = HeadParser(limit: multi.settings.configuration.limits.headBytes)
    }

    var loop: TransferLoop { multi.loop }

    /// What the server's certificates must be.
    var chainRequirement: ChainRequirement? { prepared.isSecure ? options.chainRequirement : nil }

    /// HTTP/2 knows no log-in of a connection: libcurl keeps one state for all streams of it.
    var versions: HTTPVersionPolicy { options.authentication == nil ? options.versions : .http1Only }

    /// The head of a proxy's answer to CONNECT.
    var connectParser: HeadParser? {
        get { rare?.connectParser }
        set {
            if newValue != nil, rare == nil { rare = Rare() }
            rare?.connectParser = newValue
        }
    }

    /// How often server and proxy have asked for credentials that libcurl answers with.
    var challengeCount: Int {
        get { rare?.challengeCount ?? 0 }
        set {
            if rare == nil { rare = Rare() }
            rare?.challengeCount = newValue
        }
    }

    /// What the transfer cost that libcurl is done with while the receiver still decides.
    private var heldMeasurement: TransferMeasurement? {
        get { rare?.heldMeasurement }
        set {
            if newValue != nil, rare == nil { rare = Rare() }
            rare?.heldMeasurement = newValue
        }
    }

    /// An error of this transfer.
    func error(_ kind: HTTPError.Kind, _ reason: String, underlyingError: (any Error)? = nil) -> HTTPError {
        HTTPError(kind, attempting: request.redactedDescription, reason, underlyingError: underlyingError)
    }

    // MARK: Beginning

    /// The loop has it: the transfer begins, or stands in line.
    func begin() {
        loop.assertOnLoop()
        slot = loop.add(self)
        times.begin(at: loop.now)
        if let error = multi.accept(self) ?? unsendable() { return abort(error) }
        if !machine.isSuspended { multi.enqueue(self) }
        updateDeadline()
    }

    private func unsendable() -> HTTPError? {
        guard prepared.isSendable else {
            return request.validated() ?? error(.invalidURL, "the URL cannot be read; write it as https://host/path")
        }
        guard request.body == nil || request.method != "HEAD" else {
            return error(.unsupportedByTransport, "libcurl sends no content with HEAD; leave the body out, or use another method")
        }
        return nil
    }

    /// A connection may be used now; `false` if the transfer does not want it any more.
    func turnCame() -> Bool {
        guard machine.turnCame() == .send else { return false }
        if sender != nil {
            // It had its turn before, and gave it back while the connection was made.
            _ = bodyIsWantedAgain()
        } else if prepared.shape == .upload, let body = request.body {
            sender = BodySender(body)
        }
        times.connectBegan(at: loop.now)
        updateDeadline()
        return true
    }

    // MARK: Time

    /// Has the loop look at this transfer when the next of its limits may be reached.
    ///
    /// Activity does not move the entry in the loop's queue: when its time comes, it is found too early and set anew.
    func updateDeadline() {
        guard !machine.isFinished else { return }
        loop.setDeadline(times.next(idleTimeRuns: machine.idleTimeRuns), for: slot)
    }

    func deadlineIsDue() {
        guard !machine.isFinished else { return }
        if let handle { times.note(bytesSent: handle.contentBytesSent, at: loop.now) }
        guard let limit = times.reached(idleTimeRuns: machine.idleTimeRuns, now: loop.now) else {
            return updateDeadline()
        }
        switch limit {
        case .connect: abort(error(.connectTimedOut, "no connection stood within \(options.timeouts.connect ?? .zero)"))
        case .idle: abort(error(.idleTimedOut, "nothing moved for \(options.timeouts.idle ?? .zero)"))
        case .resource: abort(error(.resourceTimedOut, "it took longer than \(options.timeouts.resource ?? .zero) in all"))
        }
    }

    // MARK: Ending

    /// libcurl is done with the transfer.
    func engineEnded(_ code: CURLcode) {
        guard let handle else { return }
        var error = outcome(of: code, handle)
        let measurement = TransferMeasurement(handle.metrics(version: parser.version))
        if code == CURLE_OK, !measurement.metrics.reusedConnection, let socket = handle.connectedSocket {
            loop.keepSocket(socket, for: multi)
        }
        if code != CURLE_OK { handle.hasFailed() }
        multi.detach(self)
        if let failure = sink.close(), error == nil { error = self.error(.destinationNotWritable, failure.reason) }
        switch machine.engineEnded(succeeded: error == nil) {
        case .ignore: break
        case .hold: heldMeasurement = measurement
        case .deliver: finish(error, measurement)
        }
    }

    /// The decision that was waited for is there, and libcurl was done already.
    func endAfterDecision() {
        if machine.engineEnded(succeeded: true) == .deliver { finish(nil, heldMeasurement) }
    }

    /// Ends the transfer where it stands; after the end it does nothing.
    func abort(_ error: HTTPError) {
        guard machine.stopped() else { return }
        let measurement = handle.map { TransferMeasurement($0.metrics(version: parser.version)) } ?? heldMeasurement
        handle?.hasFailed()
        multi.detach(self)
        _ = sink.close()
        finish(error, measurement)
    }

    /// The one place where a transfer ends.
    private func finish(_ error: HTTPError?, _ measurement: TransferMeasurement?) {
        let receiver = receiver
        self.receiver = nil
        sender?.close()
        sender = nil
        // The caller's own objects are let go of here; the rest of the transfer may be by whoever starts the next one.
        request.body = nil
        loop.remove(self, slot)
        var outcome = TransferOutcome(error: error, content: sink.content, bytesReceived: bytesReceived, measurement: measurement)
        if !parser.trailerLines.isEmpty {
            outcome.trailers = HTTPResponseHead(status: 0, version: .http1_1, fieldLines: parser.trailerLines).fields
        }
        sink = .undecided
        multi.transferEnded()
        receiver?.transferDidFinish(outcome)
    }
}
#endif

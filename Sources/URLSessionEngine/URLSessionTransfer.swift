// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One transfer: brings Foundation's events and the caller's orders to its machine, and carries out what that decides.
///
/// The receiver is called on the session's delegate queue only, and so is the task: an order from another thread goes there first. That
/// keeps a cancellation from coming between one of Foundation's callbacks and its answer, which traps on Linux.
final class URLSessionTransfer: TransferControl, @unchecked Sendable {  // what is not behind a lock is touched only while draining
    private let request: HTTPRequest
    private let options: TransferOptions
    private let link: SessionLink
    private let attempt: String
    private let timer: TransferTimer

    // Any thread, behind their locks.
    private let machine: Locked<TransferMachine>
    private let task = Locked<URLSessionTask?>(nil)
    private let spool = Locked<BodySpool?>(nil)
    private let answerToHead = Locked<(@Sendable (URLSession.ResponseDisposition) -> Void)?>(nil)
    private let refusalByTrust = Locked<HTTPError?>(nil)
    private let metrics = Locked<TransferMetrics?>(nil)
    private let taskMaking = Locked(TaskMaking.outstanding)
    #if canImport(Darwin)
    private let streamedBody = Locked<BoundStreamBody?>(nil)
    #endif

    // Only by the one who drains the machine.
    private var receiver: (any TransferReceiver)?
    private var sink: ContentSink?
    private var bytesReceived: Int64 = 0
    private var head: HTTPResponseHead?

    init(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver, link: SessionLink) {
        self.request = request
        self.options = options
        self.receiver = receiver
        self.link = link
        attempt = request.redactedDescription
        timer = TransferTimer(options.timeouts)
        #if canImport(Darwin)
        machine = Locked(TransferMachine(tasksCanPause: true))
        #else
        machine = Locked(TransferMachine(tasksCanPause: false))
        #endif
    }

    /// Whether a task may still be made; the session is not invalidated before that is settled.
    private enum TaskMaking {
        case outstanding
        case underWay
        case settled
    }

    // MARK: The beginning

    /// Called once, on the caller's thread.
    func begin() {
        if let refusal = link.refusals.refusal(of: request, options: options) { return order { $0.fail(refusal) } }
        guard link.begin(self) else {
            taskMaking.withLock { $0 = .settled }
            let error = HTTPError(.shutDown, attempting: attempt, "the transport is shut down; make a new one")
            return order { $0.fail(error) }
        }
        timer.start { [weak self] in
            self?.machine.withLock { $0.waitsForReceiver } ?? true
        } onLimit: { [weak self] limit in
            self?.reached(limit)
        }
        do throws(HTTPError) {
            makeTask(try PreparedBody(request.body, attempting: attempt))
        } catch {
            order { $0.fail(error) }
        }
    }

    private func makeTask(_ body: PreparedBody) {
        let mayMake = taskMaking.withLock { making in
            guard case .outstanding = making else { return false }
            making = .underWay
            return true
        }
        guard mayMake else { return }
        let urlRequest = URLRequest(request)
        switch body {
        case .none: adopt(link.session.dataTask(with: urlRequest))
        case .data(let data) where data.isEmpty && (request.method == "GET" || request.method == "HEAD"):
            adopt(link.session.dataTask(with: urlRequest))
        // An upload task, since Foundation adds a Content-Type to a data task's body.
        case .data(let data): adopt(link.session.uploadTask(with: urlRequest, from: data))
        case .file(let file): adopt(link.session.uploadTask(with: urlRequest, fromFile: file))
        case .chunks(let chunks): readBody(chunks, for: urlRequest)
        }
    }

    private func adopt(_ newTask: URLSessionTask) {
        if options.priority != URLSessionTask.defaultPriority { newTask.priority = options.priority }
        link.delegate.register(self, for: newTask)
        task.withLock { $0 = newTask }
        machine.withLock { $0.taskWasMade() }
        taskMaking.withLock { $0 = .settled }
        link.endMaking()
        scheduleDraining()
    }

    /// There will be no task if there is none yet.
    private func giveUpTask() {
        let wasOutstanding = taskMaking.withLock { making in
            guard case .outstanding = making else { return false }
            making = .settled
            return true
        }
        if wasOutstanding { link.endMaking() }
    }

    #if canImport(Darwin)
    private func readBody(_ chunks: any HTTPBodyChunks, for urlRequest: URLRequest) {
        guard let (body, stream) = BoundStreamBody.make(attempting: attempt) else {
            chunks.cancel()
            taskMaking.withLock { $0 = .outstanding }
            let error = HTTPError(.bodyUnreadable, attempting: attempt, "no pair of streams could be made for the body")
            return order { $0.fail(error) }
        }
        streamedBody.withLock { $0 = body }
        var urlRequest = urlRequest
        urlRequest.httpBodyStream = stream
        if let length = request.body?.length { urlRequest.setValue(String(length), forHTTPHeaderField: "Content-Length") }
        adopt(link.session.dataTask(with: urlRequest))
        body.feed(chunks, length: request.body?.length) { [weak self] error in self?.order { $0.fail(error) } }
    }

    /// A second stream, for a body that can be read again; `nil` fails the task.
    func makeBodyStream() -> InputStream? {
        guard let body = request.body, body.replay == .always, case .chunks(let chunks) = try? PreparedBody(body, attempting: attempt),
            let (newBody, stream) = BoundStreamBody.make(attempting: attempt)
        else { return nil }
        let old = streamedBody.withLock { current in
            defer { current = newBody }
            return current
        }
        old?.discard()
        newBody.feed(chunks, length: body.length) { [weak self] error in self?.order { $0.fail(error) } }
        return stream
    }
    #else
    private func readBody(_ chunks: any HTTPBodyChunks, for urlRequest: URLRequest) {
        taskMaking.withLock { $0 = .outstanding }
        let newSpool = BodySpool(attempting: attempt)
        spool.withLock { $0 = newSpool }
        newSpool.read(chunks, length: request.body?.length) { [timer] in
            timer.movement()
        } completion: { [self] result in
            switch result {
            case .success(let body): makeTask(body)
            case .failure(let error): order { $0.fail(error) }
            }
        }
        // Cancelled before the spool was there to be discarded.
        if machine.withLock({ $0.isFinished }) {
            giveUpTask()
            newSpool.discard()
        }
    }
    #endif

    private func discardBody() {
        spool.withLock { $0 }?.discard()
        #if canImport(Darwin)
        streamedBody.withLock { $0 }?.discard()
        #endif
    }

    // MARK: Orders, from any thread

    func cancel() {
        let error = HTTPError(.cancelled, attempting: attempt, "it was cancelled")
        order { $0.fail(error) }
    }

    func suspend() { order { $0.suspend() } }

    func resume() {
        timer.movement()
        order { $0.resume() }
    }

    func decide(_ disposition: ContentDisposition) {
        timer.movement()
        order { $0.decide(disposition) }
    }

    func requestMoreContent() {
        timer.movement()
        order { $0.receiverWantsMore() }
    }

    var underlyingTask: AnyObject? { task.withLock { $0 } }

    private func reached(_ limit: TransferTimer.Limit) {
        let error =
            switch limit {
            case .idle:
                // A file that shrank while it was sent stops Foundation on Linux without an error.
                request.body?.fileFault(attempting: attempt)
                    ?? HTTPError(
                        .idleTimedOut, attempting: attempt,
                        "nothing moved for \(options.timeouts.idle ?? .zero); allow more time, or see whether the server answers")
            case .resource:
                HTTPError(
                    .resourceTimedOut, attempting: attempt, "it took longer than the \(options.timeouts.resource ?? .zero) it is allowed")
            }
        order { $0.fail(error) }
    }

    private func order(_ change: (inout TransferMachine) -> Void) {
        machine.withLock { change(&$0) }
        scheduleDraining()
    }

    private func scheduleDraining() {
        link.session.delegateQueue.addOperation { [self] in drain() }
    }

    // MARK: Events, on the delegate queue

    func taskDidReceive(_ response: HTTPURLResponse, completion: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) {
        timer.movement()
        let head = HTTPResponseHead(response)
        if head.isInterim, head.status != 101 {
            completion(.allow)
            event { $0.receivedInterimHead(head) }
        } else {
            answerToHead.withLock { $0 = completion }
            event { $0.receivedHead(head) }
        }
    }

    func taskDidReceive(_ data: Data) {
        timer.movement()
        event { $0.receivedContent(data) }
    }

    func taskDidSend(total: Int64) {
        timer.movement()
        event { $0.sentBytes(total: total) }
    }

    /// - Parameter refuse: must not be called once the task is cancelled: on Linux that traps.
    func taskWillRedirect(refuse: @escaping @Sendable () -> Void) {
        timer.movement()
        #if canImport(Darwin)
        refuse()
        #else
        if machine.withLock({ $0.taskMayBeAnswered }) { refuse() }
        #endif
    }

    func taskDidReceive(
        _ challenge: URLAuthenticationChallenge,
        completion: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        switch TLSChallenges(configuration: link.tls).answer(challenge.protectionSpace, attempting: attempt) {
        case .trust(let credential): completion(.useCredential, credential)
        case .refuse(let error):
            refusalByTrust.withLock { $0 = error }
            completion(.cancelAuthenticationChallenge, nil)
        case .systemDefault:
            let method = challenge.protectionSpace.authenticationMethod
            let isTLS = method == NSURLAuthenticationMethodServerTrust || method == NSURLAuthenticationMethodClientCertificate
            completion(isTLS ? .performDefaultHandling : .rejectProtectionSpace, nil)
        }
        #else
        // Linux asks when the whole response is there, and each of its answers but a credential either fails the task or leaves it
        // hanging. So the response is taken as it is, and the machine cancels the task.
        event { $0.ended(nil) }
        #endif
    }

    #if canImport(Darwin)
    func taskDidCollect(_ measured: URLSessionTaskMetrics) {
        metrics.withLock { $0 = TransferMetrics(measured) }
    }
    #endif

    func taskDidComplete(_ error: (any Error)?, response: HTTPURLResponse?) {
        let hasHead = machine.withLock { $0.hasReceivedHead }
        // Linux shows a redirect without a usable Location to no delegate.
        let lateHead = !hasHead && error == nil ? response.map { HTTPResponseHead($0) } : nil
        let failure: HTTPError? =
            if let error {
                refusalByTrust.withLock { $0 } ?? .fromFoundation(error, attempting: attempt, afterHead: hasHead)
            } else if !hasHead, lateHead == nil {
                HTTPError(.noResponse, attempting: attempt, "URLSession reported success without a response")
            } else {
                nil
            }
        event { machine in
            machine.taskIsOver()
            if let lateHead { machine.receivedHead(lateHead) }
            machine.ended(failure)
        }
    }

    private func event(_ change: (inout TransferMachine) -> Void) {
        machine.withLock { change(&$0) }
        drain()
    }

    // MARK: Carrying out

    private func drain() {
        guard machine.withLock({ $0.beginDraining() }) else { return }
        while let action = machine.withLock({ $0.next() }) { perform(action) }
    }

    private func perform(_ action: TransferMachine.Action) {
        switch action {
        case .resumeTask:
            timer.movement()
            underlying?.resume()
        case .suspendTask: underlying?.suspend()
        case .cancelTask:
            discardBody()
            underlying?.cancel()
        case .deliverInterimHead(let head): receiver?.transferDidReceiveInterimHead(head)
        case .deliverHead(let head): deliver(head)
        case .open(let disposition): open(disposition)
        case .deliverContent(let bytes): deliver(bytes)
        case .deliverProgress: if options.reportsProgress { receiver?.transferDidProgress(progress) }
        case .finish(let error): finish(error)
        }
    }

    private var underlying: URLSessionTask? { task.withLock { $0 } }

    private func fail(_ error: HTTPError) { machine.withLock { $0.fail(error) } }

    private func deliver(_ head: HTTPResponseHead) {
        self.head = head
        if let fault = head.lengthFault {
            return fail(HTTPError(.conflictingContentLength, attempting: attempt, "the response is broken: \(fault)"))
        }
        if !options.decodesContent, head.hasContentCoding {
            return fail(
                HTTPError(
                    .unsupportedByTransport, attempting: attempt,
                    "URLSession undoes content codings by itself, and the coded content was asked for; use CurlEngine"))
        }
        guard let disposition = receiver?.transferDidReceiveHead(head) else { return }
        machine.withLock { $0.decide(disposition) }
    }

    private func open(_ disposition: ContentDisposition) {
        let answer = answerToHead.withLock { answer in
            defer { answer = nil }
            return answer
        }
        if case .cancel = disposition {
            answer?(.cancel)
            return fail(HTTPError(.cancelled, attempting: attempt, "the receiver of the response's head cancelled it"))
        }
        do throws(HTTPError) {
            sink = try ContentSink(disposition, attempting: attempt)
            answer?(.allow)
        } catch {
            answer?(.cancel)
            fail(error)
        }
    }

    private func deliver(_ bytes: Data) {
        bytesReceived += Int64(bytes.count)
        if let fault = decompressionFault { return fail(fault) }
        switch sink {
        case .collecting(var content, let limit):
            guard bytes.count <= limit - content.count else {
                return fail(
                    HTTPError(
                        .contentTooLarge, attempting: attempt,
                        "the content is longer than the \(limit) bytes that may be held in memory; stream it, or raise the limit"))
            }
            // The stored copy goes first, so that appending does not copy.
            sink = nil
            content.append(bytes)
            sink = .collecting(content, limit: limit)
        case .file(let file):
            do throws(HTTPError) { try file.write(bytes) } catch { fail(error) }
        case .streaming:
            if receiver?.transferDidReceiveContent(bytes) == .pause { machine.withLock { $0.receiverPaused() } }
        case .discarding(let count, let limit):
            sink = .discarding(count: count + bytes.count, limit: limit)
            if count + bytes.count > limit { machine.withLock { $0.endEarly() } }
        case nil: break
        }
    }

    /// Only where the length before decoding is known, since Foundation does not count.
    private var decompressionFault: HTTPError? {
        guard bytesReceived > 1_048_576, let head, head.hasContentCoding,
            let length = head.value(for: "Content-Length").flatMap({ Int64($0) }),
            bytesReceived / max(length, 1) > link.limits.decompressionRatio
        else { return nil }
        return HTTPError(
            .contentTooLarge, attempting: attempt,
            "the content grows to more than \(link.limits.decompressionRatio) times its length when its coding is undone")
    }

    private var progress: TransferProgress {
        TransferProgress(
            bytesSent: machine.withLock { $0.bytesSent }, bytesToSend: request.body?.length, bytesReceived: bytesReceived,
            bytesToReceive: head?.declaredLength)
    }

    private func finish(_ error: HTTPError?) {
        timer.stop()
        giveUpTask()
        discardBody()
        answerToHead.withLock { answer in
            defer { answer = nil }
            return answer
        }?(.cancel)
        var outcome = TransferOutcome(error: error, bytesReceived: bytesReceived, metrics: metrics.withLock { $0 })
        switch sink {
        case .collecting(let content, _): outcome.content = content
        case .file(let file):
            do throws(HTTPError) { try file.close() } catch { outcome.error = outcome.error ?? error }
        case .streaming, .discarding, nil: break
        }
        outcome.error = outcome.error ?? request.body?.fileFault(attempting: attempt)
        sink = nil
        let receiver = receiver
        self.receiver = nil
        link.end(self)
        receiver?.transferDidFinish(outcome)
    }
}

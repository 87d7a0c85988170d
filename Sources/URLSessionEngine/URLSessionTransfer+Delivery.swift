// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// What the receiver gets: the head, the content, the end. By the one who drains the machine.
extension URLSessionTransfer {
    func deliver(_ head: HTTPResponseHead) {
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

    func open(_ disposition: ContentDisposition) {
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

    func deliver(_ bytes: Data) {
        bytesReceived += Int64(bytes.count)
        if let fault = decompressionFault { return fail(fault) }
        do throws(HTTPError) {
            switch try sink?.take(bytes, attempting: attempt) {
            case .isTaken, nil: break
            case .isForReceiver:
                if receiver?.transferDidReceiveContent(bytes) == .pause { machine.withLock { $0.receiverPaused() } }
            case .isEnough: machine.withLock { $0.endEarly() }
            }
        } catch {
            fail(error)
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

    var progress: TransferProgress {
        TransferProgress(
            bytesSent: machine.withLock { $0.bytesSent }, bytesToSend: request.body?.length, bytesReceived: bytesReceived,
            bytesToReceive: head?.declaredLength)
    }

    func finish(_ error: HTTPError?) {
        timer.stop()
        giveUpTask()
        discardBody()
        answerToHead.withLock { answer in
            defer { answer = nil }
            return answer
        }?(.cancel)
        var outcome = TransferOutcome(error: error, bytesReceived: bytesReceived, metrics: metrics.withLock { $0 })
        do throws(HTTPError) {
            if let content = try sink?.end() { outcome.content = content }
        } catch {
            outcome.error = outcome.error ?? error
        }
        outcome.error = outcome.error ?? request.body?.fileFault(attempting: attempt)
        sink = nil
        let receiver = receiver
        self.receiver = nil
        link.end(self)
        receiver?.transferDidFinish(outcome)
    }

    private func fail(_ error: HTTPError) { machine.withLock { $0.fail(error) } }
}

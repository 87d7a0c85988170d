// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// What Foundation says of the task, on the delegate queue.
extension URLSessionTransfer {
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
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation

/// An observer, or delegate, that writes down what it is asked, and answers with closures.
final class RecordingObserver: SAPURLSessionObserving, SAPURLSessionDelegate, @unchecked Sendable {  // closures are set before use
    let name: String
    let events: EventRecorder<String>
    var onSend: @Sendable (URLRequest) -> SAPURLSession.RequestDisposition? = { .use($0) }
    var onChallenge: @Sendable (URLAuthenticationChallenge) -> SAPURLSession.AuthChallengeDisposition? = { _ in .performDefaultHandling }
    var onRedirect: @Sendable (URLRequest) -> SAPURLSession.HTTPRedirectDisposition? = { .follow($0) }
    var onResponse: @Sendable (HTTPURLResponse) -> SAPURLSession.ResponseDisposition? = { _ in .allow }
    let taskIDs = EventRecorder<UUID>()
    let data = EventRecorder<Data>()

    init(_ name: String, _ events: EventRecorder<String> = EventRecorder()) {
        self.name = name
        self.events = events
    }

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping (SAPURLSession.RequestDisposition) -> Void
    ) {
        events.record("\(name) send")
        taskIDs.record(task.taskID)
        if let answer = onSend(request) { completionHandler(answer) }
    }

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (SAPURLSession.AuthChallengeDisposition) -> Void
    ) {
        events.record("\(name) challenge \(challenge.previousFailureCount)")
        if let answer = onChallenge(challenge) { completionHandler(answer) }
    }

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (SAPURLSession.HTTPRedirectDisposition) -> Void
    ) {
        events.record("\(name) redirect \(response.statusCode)")
        if let answer = onRedirect(request) { completionHandler(answer) }
    }

    func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping (SAPURLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
        events.record("\(name) response \(response.statusCode)")
        if let answer = onResponse(response) { completionHandler(answer) }
    }

    func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCreate sessionTask: URLSessionTask) {
        events.record("\(name) create")
    }

    // As an observer.

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?, completionHandler: @escaping () -> Void
    ) {
        events.record("\(name) complete")
        completionHandler()
    }

    func sapURLSession(
        _ session: SAPURLSession, didBecomeInvalidWithError error: (any Error)?, completionHandler: @escaping () -> Void
    ) {
        events.record("\(name) invalid")
        completionHandler()
    }

    // As a delegate.

    func sapURLSession(_ session: SAPURLSession, didBecomeInvalidWithError error: (any Error)?) { events.record("\(name) invalid") }

    func sapURLSession(_ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive data: Data) { self.data.record(data) }

    func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?) {
        events.record("\(name) complete")
    }
}

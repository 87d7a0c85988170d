// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Request {
    /// Where a request stands, as its user sees it.
    public enum State: Sendable, Hashable {
        /// Made, and not resumed.
        case initialized
        /// Under way, or about to be.
        case resumed
        /// Held.
        case suspended
        /// Cancelled; final.
        case cancelled
        /// Over; final, though response handlers may still be added and are then called at once.
        case finished

        func canBecome(_ next: State) -> Bool {
            switch (self, next) {
            case (.initialized, _), (.resumed, .suspended), (.resumed, .cancelled), (.resumed, .finished), (.suspended, .resumed),
                (.suspended, .cancelled), (.suspended, .finished):
                next != .initialized
            default: false
            }
        }
    }

    /// Where a request stands on its own way; every step is begun once and ended once.
    enum Phase {
        /// Nothing happened yet.
        case waiting
        /// The request is made and adapted; the number tells this step from earlier ones.
        case settingUp(Int)
        /// A message is under way.
        case exchanging
        /// A retrier is asked, or the time until a retry passes.
        case deciding(Int)
        /// Handlers run.
        case concluding
        /// All handlers that were there have run.
        case concluded
    }

    /// Everything about a request that changes; reached only under the lock.
    struct MutableState {
        var state = State.initialized
        var phase = Phase.waiting
        var stepCount = 0
        var requests = ShortList<URLRequest>()
        /// What earlier attempts sent; the last one's is the last of `requests`.
        var earlierPerformed: [URLRequest] = []
        var lastIsPerformed = false
        var exchange: Exchange?
        /// `nil` is the transport's thread.
        var conclusionPlace: (any ConclusionPlace)?
        var response: ReceivedResponse?
        var error: AFError?
        var retryCount = 0
        var measurements = ShortList<TransferMeasurement>()
        var credential: URLCredential?
        var observers = ShortList<any RequestObserver>()
        /// Nobody adds handlers of progress any more.
        var handlersAreComplete = false
        var responseHandlers: [ResponseHandler] = []
        var nextResponseHandler = 0
        var completions: [@Sendable () -> Void] = []
        /// Whether the request has concluded before.
        var hasConcluded = false
        var progress: ProgressState?
        fileprivate var extrasBox: ExtrasBox?
        /// What the initialiser got, and what was added.
        var interceptor: (any RequestInterceptor)?

        init(interceptor: (any RequestInterceptor)?) { self.interceptor = interceptor }
    }

    fileprivate final class ExtrasBox {
        var extras = Extras()
    }

    /// What few requests have, kept out of the others' way.
    struct Extras {
        var id: UUID?
        var redirectHandler: (any RedirectHandler)?
        var cachedResponseHandler: (any CachedResponseHandler)?
        var challengeHandler: (any ChallengeHandler)?
        /// Waits for the handler's answer.
        var challengeTask: Task<Void, Never>?
        var eventMonitor: (any EventMonitor)?
        var requestCreationHandlers: [@Sendable (URLRequest) -> Void] = []
        var taskCreationHandlers: [@Sendable (URLSessionTask) -> Void] = []
        /// Told the final request, or `nil` when there will be none.
        var descriptionHandlers: [@Sendable () -> Void] = []
        var tasks: [TransferTask] = []
        /// Completes the handler whose failure a retrier is judging; the number tells the question from earlier ones.
        var questionedHandler: (step: Int, abandon: @Sendable () -> Void)?

        mutating func removeHandlers() {
            requestCreationHandlers = []
            taskCreationHandlers = []
            descriptionHandlers = []
        }
    }
}

extension Request.MutableState {
    var performed: [URLRequest] {
        if lastIsPerformed, let last = requests.last { earlierPerformed + [last] } else { earlierPerformed }
    }

    /// What few requests have, as it is now; `nil` if this one never had any of it.
    var extras: Request.Extras? { extrasBox?.extras }

    /// Changes what few requests have.
    mutating func withExtras<Result>(_ body: (inout Request.Extras) -> Result) -> Result {
        let box = extrasBox ?? Request.ExtrasBox()
        extrasBox = box
        return body(&box.extras)
    }

    mutating func madeProgress() -> ProgressState {
        if let progress { return progress }
        let progress = ProgressState()
        self.progress = progress
        return progress
    }

    /// What was given to a request, taken out of it: who holds the request is not held by it once it is over.
    struct Handlers {
        let observers: ShortList<any RequestObserver>
        let completions: [@Sendable () -> Void]
        /// Only to be let go of, where no lock is held: what a closure is the last to hold may use the request in its `deinit`.
        fileprivate let responses: [ResponseHandler]
        fileprivate let progress: [ProgressState.Handler]?
        fileprivate let extras: Request.Extras?
    }

    /// Takes the handlers out, those that come later start a list of their own.
    mutating func takeHandlers() -> Handlers {
        nextResponseHandler = 0
        let former = extras
        if former != nil { withExtras { $0.removeHandlers() } }
        return Handlers(
            observers: observers.takeAll(), completions: completions.takeAll(), responses: responseHandlers.takeAll(),
            progress: progress?.takeHandlers(), extras: former)
    }

    /// Ends the request's way, but for its handlers. Cancelling has its own error.
    mutating func beginConcluding(with error: AFError?) {
        phase = .concluding
        exchange = nil
        self.error = state == .cancelled ? self.error ?? error : error
    }

    /// A number for the step that begins; it ends every earlier one.
    mutating func beginStep() -> Int {
        stepCount += 1
        return stepCount
    }

    /// Goes from `step` to another one of its phase.
    /// - Returns: the new step; `nil` if `step` was overtaken.
    mutating func advance(after step: Int) -> Int? {
        switch phase {
        case .settingUp(step):
            let next = beginStep()
            phase = .settingUp(next)
            return next
        case .deciding(step):
            let next = beginStep()
            phase = .deciding(next)
            return next
        case .waiting, .settingUp, .exchanging, .deciding, .concluding, .concluded: return nil
        }
    }
}

/// How one response handler is served: it makes its value, and hands back what calls the caller's closure.
struct ResponseHandler: Sendable {
    enum Outcome: Sendable {
        /// Calls the caller's closure; kept until all handlers are served.
        case complete(@Sendable () -> Void)
        /// The whole request is sent again; `abandon` calls the caller's closure if that is no longer possible.
        case retry(after: TimeInterval, abandon: @Sendable () -> Void)
    }

    let serve: @Sendable (_ request: Request, _ done: @escaping @Sendable (Outcome) -> Void) -> Void
}

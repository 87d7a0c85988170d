// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The task that does the work, and the body that it sends.
extension URLSessionTransfer {
    /// Whether a task may still be made; the session is not invalidated before that is settled.
    enum TaskMaking {
        case outstanding
        case underWay
        case settled
    }

    func makeTask(_ body: PreparedBody) {
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
    func giveUpTask() {
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

    func discardBody() {
        spool.withLock { $0 }?.discard()
        #if canImport(Darwin)
        streamedBody.withLock { $0 }?.discard()
        #endif
    }
}

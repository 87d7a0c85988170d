// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The part of a server that its threads hold; ``TestServer`` holds it for the test, so that dropping the server ends the threads.
final class ServerCore: Sendable {
    typealias Handler = @Sendable (RecordedRequest) -> ScriptedResponse

    let configuration: TestServer.Configuration
    let handler: Handler?
    let socket: ListeningSocket
    let state = Watched(ServerState())
    private let accepter = Locked<Accepter?>(nil)

    private struct Accepter {
        let thread: JoinableThread
        let wakePipe: WakePipe
    }

    init(_ configuration: TestServer.Configuration, handler: Handler?) throws(TestServerError) {
        self.configuration = configuration
        self.handler = handler
        socket = try ListeningSocket(configuration)
    }

    func start() throws(TestServerError) {
        do throws(TestServerError) {
            let pipe = try WakePipe()
            guard let thread = JoinableThread({ [self] in acceptConnections(until: pipe) }) else {
                throw TestServerError(description: "no thread for the test server")
            }
            accepter.withLock { $0 = Accepter(thread: thread, wakePipe: pipe) }
        } catch {
            stopListening()
            throw error
        }
    }

    // MARK: The accepting thread

    private func acceptConnections(until wakePipe: WakePipe) {
        defer { stopListening() }
        while true {
            var entries = [
                pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&entries, 2, -1)
            if count < 0, errno != EINTR { return }
            if entries[0].revents != 0 { return }
            if entries[1].revents != 0 { acceptOne(until: wakePipe) }
            joinFinishedThreads()
        }
    }

    private func acceptOne(until wakePipe: WakePipe) {
        let descriptor = accept(socket.descriptor, nil, nil)
        guard descriptor >= 0 else {
            // Out of descriptors: the connection stays in the backlog, and poll would report it again at once.
            if errno == EMFILE || errno == ENFILE {
                var entry = pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, 10)
            }
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Darwin's sockets inherit O_NONBLOCK from the one that listens.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        if case .unixSocket = configuration.address {
        } else {
            ListeningSocket.set(TCP_NODELAY, to: 1, on: descriptor, level: Int32(IPPROTO_TCP))
        }
        let (number, opening) = state.change { state in
            defer { state.connectionCount += 1 }
            state.open[state.connectionCount] = descriptor
            return (state.connectionCount, state.openings.popFirst() ?? .serve)
        }
        let thread = JoinableThread { [self] in
            ServerConnection(core: self, descriptor: descriptor, number: number).run(opening)
        }
        if let thread {
            state.change { $0.threads[number] = thread }
        } else {
            connectionEnded(number, descriptor)
        }
    }

    private func joinFinishedThreads() {
        let threads = state.change { state -> [JoinableThread] in
            guard !state.finished.isEmpty else { return [] }
            let threads = state.finished.compactMap { state.threads.removeValue(forKey: $0) }
            state.finished = []
            return threads
        }
        for thread in threads { thread.join() }
    }

    private func stopListening() {
        Foundation.close(socket.descriptor)
        if case .unixSocket(let path) = configuration.address { unlink(path) }
    }

    // MARK: Called by connections

    func connectionEnded(_ number: Int, _ descriptor: Int32) {
        state.change { state in
            state.open[number] = nil
            Foundation.close(descriptor)
            state.finished.append(number)
        }
    }

    /// Gives a request its number and takes the next response from the script.
    func requestStarted(_ parsed: ParsedHead, rawHead: Data, connection: Int, index: Int) -> (RecordedRequest, ScriptedResponse?) {
        state.change { state in
            let request = RecordedRequest(
                method: parsed.method, target: parsed.target, version: parsed.version, rawHead: rawHead, number: state.headCount,
                connection: connection, indexOnConnection: index)
            state.headCount += 1
            if configuration.recordsRequests { state.records.append(request) }
            return (request, state.script.popFirst())
        }
    }

    func requestCompleted(_ request: RecordedRequest) {
        state.change { state in
            state.completeCount += 1
            guard configuration.recordsRequests else { return }
            // What the response has counted meanwhile (an early one) stays.
            let bytes = state.records[request.number].responseByteCount
            state.records[request.number] = request
            state.records[request.number].responseByteCount = bytes
        }
    }

    func update(_ number: Int?, _ change: (inout RecordedRequest) -> Void) {
        guard let number, configuration.recordsRequests else { return }
        state.change { state in change(&state.records[number]) }
    }

    // MARK: Closing

    func close() {
        let isFirst = state.change { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        let accepter = accepter.withLock { accepter in
            defer { accepter = nil }
            return accepter
        }
        accepter?.wakePipe.wake()
        accepter?.thread.join()
        state.change { state in
            for descriptor in state.open.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        let threads = state.change { state in
            defer { state.threads = [:] }
            return state.threads.values
        }
        for thread in threads { thread.join() }
    }
}

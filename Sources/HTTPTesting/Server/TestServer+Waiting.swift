// SPDX-License-Identifier: MIT

extension TestServer {
    /// Returns when `count` requests, in all, have been read to their end, with all requests recorded until then.
    /// - Throws: `CancellationError` when the task is cancelled, ``TestServerError/closed`` when the server is closed first.
    @discardableResult
    public func waitForRequests(count: Int) async throws -> [RecordedRequest] {
        try await wait { $0.completeCount >= count }
        return requests
    }

    /// Returns when the heads of `count` requests, in all, have arrived, with all requests recorded until then.
    /// - Throws: as ``waitForRequests(count:)``.
    @discardableResult
    public func waitForRequestHeads(count: Int) async throws -> [RecordedRequest] {
        try await wait { $0.headCount >= count }
        return requests
    }

    /// Returns when at least `count` bytes of the content of the request with that number have been read.
    /// - Throws: as ``waitForRequests(count:)``.
    public func waitForBody(of number: Int = 0, byteCount: Int) async throws {
        try await wait { $0.records.indices.contains(number) && $0.records[number].bodyByteCount >= byteCount }
    }

    /// Returns when the response to the request with that number has made no progress for a while because the client reads nothing:
    /// the one wait here that goes by time, ``Configuration/stalledWriteThreshold``.
    /// - Returns: how many bytes of the response the system had taken.
    /// - Throws: as ``waitForRequests(count:)``.
    @discardableResult
    public func waitForStalledResponse(to number: Int = 0) async throws -> Int {
        try await wait { state in
            guard state.records.indices.contains(number), state.records[number].isResponseStalled else { return nil }
            return state.records[number].responseByteCount
        }
    }

    /// Returns when `count` connections, in all, have been accepted.
    /// - Throws: as ``waitForRequests(count:)``.
    public func waitForConnections(count: Int) async throws {
        try await wait { $0.connectionCount >= count }
    }

    /// Returns when at most `count` connections are open; also after the server was closed.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForOpenConnections(atMost count: Int) async throws {
        try await core.state.wait { $0.open.count <= count }
    }

    private func wait(until condition: @escaping @Sendable (ServerState) -> Bool) async throws {
        try await wait { condition($0) ? () : nil }
    }

    private func wait<Value: Sendable>(for find: @escaping @Sendable (ServerState) -> Value?) async throws -> Value {
        try await core.state.wait { state -> Result<Value, TestServerError>? in
            if let value = find(state) { return .success(value) }
            return state.isClosed ? .failure(.closed) : nil
        }.get()
    }
}

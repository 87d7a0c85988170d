// SPDX-License-Identifier: MIT

/// All that a server's threads and the test share; lives behind one lock.
struct ServerState: Sendable {
    var script: ArraySlice<ScriptedResponse> = []
    var openings: ArraySlice<TestServer.Opening> = []
    var records: [RecordedRequest] = []
    var headCount = 0
    var completeCount = 0
    var connectionCount = 0
    var violations: [String] = []
    /// The descriptors of open connections by number. A descriptor is closed only under the lock, so that nobody shuts down one that
    /// the system has given to somebody else meanwhile.
    var open: [Int: Int32] = [:]
    var threads: [Int: JoinableThread] = [:]
    /// Connections whose thread has nothing left to do but to end.
    var finished: [Int] = []
    var isClosed = false
}

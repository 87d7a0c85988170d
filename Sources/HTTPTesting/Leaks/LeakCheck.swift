// SPDX-License-Identifier: MIT

import Foundation

/// Something that a test must not leave behind, as a number: live transfers, easy handles, descriptors.
public struct LeakCounter: Sendable {
    /// What is counted, as the failure names it.
    public let name: String
    /// What there is at this moment. Called from any thread.
    public let count: @Sendable () -> Int

    /// A counter with a name.
    public init(_ name: String, count: @escaping @Sendable () -> Int) {
        self.name = name
        self.count = count
    }

    /// The process's open file descriptors. Other tests that run at the same time count, too: use it in serialized runs only.
    public static let fileDescriptors = LeakCounter("file descriptors") { openFileDescriptorCount() }

    /// This process's connections to `server`: exact, whatever other tests do meanwhile.
    public static func connections(to server: TestServer) -> LeakCounter {
        let port = server.port
        return LeakCounter("connections to port \(port)") { OpenDescriptor.all().count { $0.peerPort == port } }
    }

    /// The files that this process has open beneath a directory, such as a test's temporary one (Linux; elsewhere always 0).
    public static func files(beneath directory: URL) -> LeakCounter {
        let prefix = directory.resolvingSymlinksInPath().path + "/"
        return LeakCounter("open files beneath \(prefix)") { OpenDescriptor.all().count { $0.description.contains(": \(prefix)") } }
    }
}

/// Something was left behind.
public struct LeakError: Error, CustomStringConvertible, Sendable {
    /// What was left behind, with the counts before and after.
    public let description: String
}

/// Runs `body` and fails if it leaves more behind than there was before.
///
/// What a thread of the code under test still has to clean up may take a moment: the counts are looked at again, giving way to other tasks
/// in between, until they are down or `deadline` has passed.
/// - Throws: what `body` throws; ``LeakError`` if a count stays up.
public func withLeakCheck<Result: Sendable>(
    _ counters: [LeakCounter], deadline: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async throws -> Result {
    let before = counters.map { $0.count() }
    let result = try await body()
    let end = ContinuousClock.now + deadline
    while true {
        let leaks = zip(counters, before).compactMap { counter, before -> String? in
            let after = counter.count()
            return after > before ? "\(counter.name): \(before) before, \(after) after" : nil
        }
        if leaks.isEmpty { return result }
        if ContinuousClock.now > end {
            let descriptors = OpenDescriptor.all().map(\.description).joined(separator: "; ")
            throw LeakError(description: "left behind: \(leaks.joined(separator: ", ")). Open descriptors: \(descriptors)")
        }
        // The one place that waits by the clock: nobody announces a descriptor's end.
        try await Task.sleep(for: .milliseconds(1))
    }
}

// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation

/// Requests for a program that has tickets: the system's Kerberos library finds them by the environment of its process, which a test cannot change
/// while others run.
package struct TicketErrand: Codable, Sendable {
    /// One request, or several equal ones at a time.
    package struct Step: Codable, Sendable {
        package var url: URL
        package var method: String
        package var byteCount: Int
        /// Whether the content can be read only once.
        package var isOneShot = false
        /// How many are sent at a time.
        package var count = 1
        /// Whether it is sent as it is, without a session that answers challenges.
        package var isPlain = false
        /// For a request with a credential of its own.
        package var user: String?

        package init(_ url: URL, method: String = "GET", byteCount: Int = 0, _ change: (inout Step) -> Void = { _ in }) {
            self.url = url
            self.method = method
            self.byteCount = byteCount
            change(&self)
        }
    }

    /// What came of one request.
    package struct Result: Codable, Sendable {
        package var status: Int?
        /// As whom the server let it in.
        package var user: String?
        /// As whom the proxy let it through.
        package var proxyUser: String?
        /// The scheme of the credentials that it came with.
        package var scheme: String?
        package var byteCount = 0
        package var text: String?
        package var error: String?
        package var ticketProblem: String?
        /// Tells one connection from another.
        package var localPort: Int?
        package var isReused: Bool?

        package init() {}
    }

    /// The proxy, if any.
    package var proxy: URL?
    /// The path of the authorities that are trusted.
    package var authorities: String?
    /// One after the other, by one session.
    package var steps: [Step]
    /// The same, at the same time, by the same session; nobody hears what came of them.
    package var stepsBeside: [Step] = []

    package init(_ steps: [Step], proxy: URL? = nil, authorities: String? = nil) {
        self.steps = steps
        self.proxy = proxy
        self.authorities = authorities
    }

    /// Has the program do it, and waits for what came of it, step by step.
    /// - Parameter environment: which tickets it has.
    package func results(environment: [String: String]) async throws -> [[Result]] {
        let errand = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        let ending = try await StoreToolProcess(environment: environment, "tickets", errand).ending()
        guard ending.status == 0, !ending.isKilled, let results = try? JSONDecoder().decode([[Result]].self, from: Data(ending.output.utf8))
        else {
            throw Failure(ending: ending)
        }
        return results
    }

    /// The program gave up.
    package struct Failure: Error {
        package let ending: StoreToolProcess.Ending
    }
}
#endif

// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// A client whose work is measured, used as its callers would. A program is one of these, marked `@main`:
///
///     PROGRAM get --url URL --requests N --in-flight C [--connections C] [--ca FILE]
///     PROGRAM download --url URL --output FILE
public protocol BenchmarkedClient: Sendable {
    /// What the tables call it.
    static var name: String { get }
    /// What else the program can do, by the first word of the command line.
    static var otherWork: [String: @Sendable (Arguments) async throws -> Void] { get }

    /// - Parameters:
    ///   - connections: How many a server gets at most; `nil` leaves that to the client.
    ///   - authority: A PEM file with the authority that is to be trusted instead of the system's.
    init(connections: Int?, authority: String?) throws

    /// A GET that collects the content in memory, to be done again and again.
    func get(_ url: String) throws -> Get
    /// - Returns: whether all of it came.
    func download(_ url: String, to path: String) async throws -> Bool
    /// Ends what must not outlive the work.
    func shutDown() async throws
}

/// Does one request.
public typealias Get = @Sendable () async throws -> Answer

/// What came of a request, as far as it is looked at.
public struct Answer: Equatable, Sendable {
    /// 200 if all is well.
    public let status: Int
    /// The content's, in bytes.
    public let length: Int

    /// `status`: 0 if there was no response.
    public init(status: Int, length: Int) {
        self.status = status
        self.length = length
    }
}

extension BenchmarkedClient {
    /// None.
    public static var otherWork: [String: @Sendable (Arguments) async throws -> Void] { [:] }

    /// Does nothing.
    public func shutDown() async throws {}

    /// Does what the command line says.
    public static func main() {
        // Off the main actor, a hop to which and back costs ten times a stub; and with a main thread that waits, which valgrind can follow.
        let finished = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await perform(Arguments())
            } catch {
                print("failed: \(error)")
                exit(1)
            }
            finished.signal()
        }
        finished.wait()
    }

    private static func perform(_ arguments: Arguments) async throws {
        switch arguments.work {
        case "get":
            let requests = try arguments.count("requests")
            let tasks = try arguments.count("in-flight")
            let client = try Self(
                connections: try arguments.optionalCount("connections") ?? tasks, authority: arguments.optionalText("ca"))
            let get = try client.get(arguments.text("url"))
            let expected = Answer(status: 200, length: try await get().length)
            _ = await inFlight(tasks, count: tasks * 2 + 200, expecting: expected, get)
            await report(name, "get", inFlight: tasks, count: requests) {
                await inFlight(tasks, count: requests, expecting: expected, get)
            }
            try await client.shutDown()
        case "download":
            let url = try arguments.text("url")
            let path = try arguments.text("output")
            let client = try Self(connections: nil, authority: nil)
            try await report(name, "download") { try await client.download(url, to: path) ? 0 : 1 }
            try await client.shutDown()
        default:
            guard let work = otherWork[arguments.work] else {
                throw Complaint("can do \((["get", "download"] + otherWork.keys.sorted()).joined(separator: ", ")), not \(arguments.work)")
            }
            try await work(arguments)
        }
    }
}

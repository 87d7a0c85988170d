// SPDX-License-Identifier: MIT

import Foundation

/// What a benchmark program was asked to do: `WORK --name value …`.
public struct Arguments: Sendable {
    /// The first word: `get`, `download`, `stub`.
    public let work: String
    private let options: [String: String]

    /// Reads the program's own command line.
    public init() throws {
        var words = CommandLine.arguments.dropFirst()
        guard let work = words.popFirst() else { throw Complaint("say what to do") }
        self.work = work
        var options: [String: String] = [:]
        while let name = words.popFirst() {
            guard name.hasPrefix("--"), let value = words.popFirst() else { throw Complaint("\(name) has no value") }
            options[String(name.dropFirst(2))] = value
        }
        self.options = options
    }

    /// The value of an option that must be there.
    public func text(_ name: String) throws -> String {
        guard let value = options[name] else { throw Complaint("--\(name) is missing") }
        return value
    }

    /// The value of an option that may be absent.
    public func optionalText(_ name: String) -> String? { options[name] }

    /// A positive number that may be absent.
    public func optionalCount(_ name: String) throws -> Int? { options[name] == nil ? nil : try count(name) }

    /// A positive number that must be there.
    public func count(_ name: String) throws -> Int {
        guard let value = Int(try text(name)), value > 0 else { throw Complaint("--\(name) must be a positive number") }
        return value
    }
}

/// A mistake on the command line.
public struct Complaint: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// Complains in these words.
    public init(_ description: String) { self.description = description }
}

extension URL {
    /// A URL that came on the command line.
    public init(argument text: String) throws {
        guard let url = URL(string: text) else { throw Complaint("\(text) is not a URL") }
        self = url
    }
}

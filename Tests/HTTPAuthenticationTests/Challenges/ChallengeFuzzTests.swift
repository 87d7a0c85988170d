// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import Testing

/// Random fields of two kinds: well-formed ones, changed in a few places, and pieces of challenges in any order.
///
/// There are 20,000 fields, a million where `OPENMOYA_STRESS` is set; `FUZZ_ITERATIONS` sets their number, `FUZZ_SEED` the seed to begin with.
struct ChallengeFuzzTests {
    private static let isStress = ProcessInfo.processInfo.environment["OPENMOYA_STRESS"].map { !$0.isEmpty && $0 != "0" } ?? false

    @Test func `any field parses or throws, in linear time`() throws {
        let origin = try #require(Origin(scheme: "https", host: "example.org"))
        let environment = ProcessInfo.processInfo.environment
        let iterations = environment["FUZZ_ITERATIONS"].flatMap(Int.init) ?? (Self.isStress ? 1_000_000 : 20_000)
        let firstSeed = environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 20_260_101
        var outcomes: [String: Int] = [:]
        var answerable: [String: Int] = [:]
        for index in 0..<iterations {
            let seed = firstSeed &+ UInt64(index)
            let bytes = ScrambledField.bytes(seed: seed)
            let counting = CountingBytes(bytes)
            var challenges: [Challenge] = []
            var scanner = ChallengeScanner(counting, parser: ChallengeParser())
            do throws(HTTPAuthenticationError) {
                try scanner.readChallenges(into: &challenges)
                outcomes["parsed", default: 0] += 1
            } catch {
                outcomes[error.label, default: 0] += 1
            }

            // The field as a whole answers the same, and what it holds can be sent back safely.
            let whole = try? Challenge.parse([String(decoding: bytes, as: UTF8.self)])
            let parameters = (whole ?? []).flatMap(\.parameters)
            // Nor does what answers challenges trap on any.
            for offer in SchemeSelection.offers(
                in: whole ?? [], by: .server(origin), transportSchemes: [.negotiate, .ntlm], canHashContent: true)
            { answerable[offer.scheme.name, default: 0] += 1 }
            if counting.looks > 8 * bytes.count + 8 || parameters.contains(where: { $0.value.contains(where: \.isNewline) }) {
                Issue.record("seed \(seed): \(counting.looks) looks at \(bytes.count) bytes, parameters \(parameters)")
                return
            }
        }

        // A generator that only ever made one kind of outcome would prove little.
        #expect(outcomes["parsed", default: 0] > iterations / 20, "\(outcomes)")
        #expect(outcomes["malformedChallenge", default: 0] > iterations / 20, "\(outcomes)")
        #expect(["Digest", "Basic"].allSatisfy { answerable[$0, default: 0] > iterations / 20 }, "\(answerable)")
    }

    /// By the clock as well, which counts what looking at bytes does not: copies, and looking names up.
    @Test(
        .enabled(if: isStress, "runs where OPENMOYA_STRESS is set"), arguments: [",", "\\\\", "a b,", "Negotiate a=,", "x y=\"z\","])
    func `hostile repetition costs time in proportion to its length`(piece: String) throws {
        func time(of count: Int) -> Duration {
            let opening = piece.hasPrefix("\\") ? "scheme a=\"" : ""
            let bytes = Array((opening + String(repeating: piece, count: count / piece.utf8.count)).utf8)
            var parser = ChallengeParser()
            parser.challengeLimit = .max
            let runs = (0..<5).map { _ in
                ContinuousClock().measure {
                    var challenges: [Challenge] = []
                    var scanner = ChallengeScanner(bytes, parser: parser)
                    try? scanner.readChallenges(into: &challenges)
                }
            }
            // The least disturbed by others on the machine.
            return runs.min() ?? .zero
        }

        let (short, long) = (time(of: 100_000), time(of: 1_600_000))

        print("\(piece.debugDescription): \(short) for 100 kB, \(long) for 1.6 MB")
        // Sixteen times as long; square growth would be 256 times.
        #expect(long < short * 48 + .milliseconds(1))
    }

    /// The worst that each loop of the scanner can meet, at two lengths.
    @Test(arguments: [
        ",", " ", "\t,", "a", "=", "a=", "a=\"", "s a=\"\\\\", "s a=\"b\",", "a b,", "a b==", "a ", "a b=c", "a =", "\"", "\\",
        "Negotiate a=,",
    ])
    func `hostile repetition costs looks in proportion to its length`(piece: String) {
        for count in [1_000, 10_000] {
            let bytes = CountingBytes(Array(String(repeating: piece, count: count).utf8))
            var challenges: [Challenge] = []
            var parser = ChallengeParser()
            parser.challengeLimit = .max
            var scanner = ChallengeScanner(bytes, parser: parser)
            try? scanner.readChallenges(into: &challenges)

            #expect(bytes.looks <= 8 * bytes.count + 8)
        }
    }
}

/// Counts how often a byte is read.
private final class CountingBytes: RandomAccessCollection {
    typealias Index = Int
    private let bytes: [UInt8]
    private(set) var looks = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }
    subscript(position: Int) -> UInt8 {
        looks += 1
        return bytes[position]
    }
}

private enum ScrambledField {
    private static let pieces: [[UInt8]] = [
        "Basic", "Digest ", "Negotiate", "NTLM TlRM==", "realm=", "realm=\"x\"", "nonce=\"abc\"", "qop=\"auth,auth-int\"", "stale=TRUE",
        ",", ", ", "=",
        "==", " ", "\t", "\"", "\\", "\\\"", "algorithm=SHA-256", "charset=UTF-8", "a", "ö", "\u{1B}[0m", "\r\n", "\u{0}", "\u{9B}", "☃",
        "/", "domain=\"/a /b\"",
    ].map { Array($0.utf8) }

    static func bytes(seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        var bytes: [UInt8] = []
        if Bool.random(using: &random) {
            for index in 0..<Int.random(in: 1...4, using: &random) {
                if index > 0 { bytes += Array(", ".utf8) }
                bytes += Array(
                    "\(["Digest", "Basic", "Scheme", "NTLM"][index]) realm=\"r \\\" \(index)\", nonce=\"n\(index)\", opaque=abc".utf8)
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        } else {
            for _ in 0..<Int.random(in: 0...24, using: &random) { bytes += pieces.randomElement(using: &random)! }
        }
        return bytes
    }
}

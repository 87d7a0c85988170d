// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Synchronization
import Testing

/// A mix of work for as long as `OPENMOYA_SOAK` says, in minutes: memory and descriptors stay level, and only what was asked to fail does.
@Suite(.enabled(if: Soak.duration != nil, "runs for the minutes that OPENMOYA_SOAK names"), .serialized, .timeLimit(.minutes(Soak.limit)))
struct SoakTests {
    private static let inFlight = 64

    private enum Ending { case response, cancelled, failedAsAsked, wrong(String) }

    /// What the server does with a request to each path; the rest of the path only makes a URL of its own.
    private static func answer(_ request: RecordedRequest) -> ScriptedResponse {
        switch request.path.split(separator: "/").first ?? "" {
        case "small": .ok("small")
        case "large": .repeating(Data("0123456789abcdef".utf8), count: 300_000)
        case "echo": .ok(Data(request.body))
        case "missing": .status(404, "there is none")
        case "reset": .ok(Data(repeating: 120, count: 50_000)).reset(at: .responseBody(20_000))
        case "moved": .redirect(to: "/small/moved")
        default: .status(500, "nobody asks for this")
        }
    }

    private static func send(_ number: Int, with provider: MoyaProvider<SoakTarget>, to url: URL, seed: UInt64) async -> Ending {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        let kind = SoakTarget.Kind.allCases[Int.random(in: 0..<SoakTarget.Kind.allCases.count, using: &random)]
        let target = SoakTarget(baseURL: url, kind: kind, number: number, size: Int.random(in: 0..<100_000, using: &random))
        let isCancelled = Int.random(in: 0..<10, using: &random) == 0
        let patience = Int.random(in: 0..<60, using: &random)
        let request = _Concurrency.Task { () -> Result<Moya.Response, MoyaError> in
            do throws(MoyaError) { return .success(try await provider.request(target)) } catch { return .failure(error) }
        }
        if isCancelled {
            for _ in 0..<patience { await _Concurrency.Task.yield() }
            request.cancel()
        }
        switch await request.value {
        case .success(let response): return target.expects(response) ? .response : .wrong("\(kind) got \(response)")
        case .failure(let error):
            if isCancelled, error.isCancelling { return .cancelled }
            return target.expects(error) ? .failedAsAsked : .wrong("\(kind) failed: \(error)")
        }
    }

    @Test func `a long run of mixed work leaves memory and descriptors level`() async throws {
        let duration = try #require(Soak.duration)
        let seed = Seeds.fresh(count: 1)[0]
        let server = try TestServer(.init { $0.recordsRequests = false }) { Self.answer($0) }
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.httpMaximumConnectionsPerHost = Self.inFlight
        let session = Session(configuration: configuration, startRequestsImmediately: false)
        let provider = MoyaProvider<SoakTarget>(callbackQueue: DispatchQueue(label: "soak", attributes: .concurrent), session: session)
        let transport = try #require(session.transport as? CurlTransport)
        let start = ContinuousClock.now
        let endings = Locked((responses: 0, cancelled: 0, failures: 0, wrong: [String]()))
        let samples = Locked<[(at: Duration, resident: Int, descriptors: Int)]>([])
        let next = Atomic<Int>.Box(0)

        try await withLeakCheck([
            LeakCounter("live transfers") { transport.statistics.liveTransfers },
            LeakCounter("easy handles in use") { transport.statistics.handlesInUse },
        ]) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<Self.inFlight {
                    group.addTask {
                        while ContinuousClock.now - start < duration {
                            let number = next.value.wrappingAdd(1, ordering: .relaxed).oldValue
                            let ending = await Self.send(number, with: provider, to: server.baseURL, seed: seed)
                            endings.withLock { endings in
                                switch ending {
                                case .response: endings.responses += 1
                                case .cancelled: endings.cancelled += 1
                                case .failedAsAsked: endings.failures += 1
                                case .wrong(let what): endings.wrong.append(what)
                                }
                            }
                            guard number % 5_000 == 0 else { continue }
                            let sample = (ContinuousClock.now - start, ProcessMemory.now.resident, OpenDescriptor.all().count)
                            samples.withLock { $0.append(sample) }
                        }
                    }
                }
            }
        }

        let (responses, cancelled, failures, wrong) = endings.withLock { $0 }
        let all = samples.withLock { $0 }
        func mean(_ part: Range<Double>, _ value: ((at: Duration, resident: Int, descriptors: Int)) -> Int) -> Int {
            let values = all.filter { part.contains($0.at / duration) }.map(value)
            #expect(!values.isEmpty, "no sample in \(part)")
            return values.reduce(0, +) / max(1, values.count)
        }
        let memory = (mean(0.1..<0.3) { $0.resident }, mean(0.8..<1.1) { $0.resident })
        let descriptors = (mean(0.1..<0.3) { $0.descriptors }, mean(0.8..<1.1) { $0.descriptors })
        print(
            "\(next.value.load(ordering: .relaxed)) requests in \(ContinuousClock.now - start), seed \(seed): \(responses) responses, "
                + "\(failures) failures asked for, \(cancelled) cancelled; resident \(memory.0) KiB early, \(memory.1) KiB late; "
                + "descriptors \(descriptors.0) early, \(descriptors.1) late")
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10)) with seed \(seed)")
        #expect(memory.1 < memory.0 + memory.0 / 20 + 2_048)
        // Both ends of each connection are in this process, and how many are open changes with the work at hand.
        #expect(descriptors.1 <= descriptors.0 + Self.inFlight / 2)
    }
}

private enum Soak {
    static let limit = Int((duration ?? .zero) / .seconds(60)) + 3
    static let duration = ProcessInfo.processInfo.environment["OPENMOYA_SOAK"].flatMap { Double($0) }.flatMap {
        $0 > 0 ? Duration.seconds($0 * 60) : nil
    }
}

private struct SoakTarget: TargetType, Sendable {
    enum Kind: String, CaseIterable, Sendable { case small, large, echo, missing, reset, moved }

    var baseURL: URL
    var kind: Kind
    var number: Int
    var size: Int

    private var content: Data { Data(repeating: UInt8(truncatingIfNeeded: number), count: size) }
    var path: String { "/\(kind.rawValue)/\(number)" }
    var method: Moya.Method { kind == .echo ? [.post, .put, .patch][number % 3] : .get }
    var task: Task { kind == .echo ? .requestData(content) : .requestPlain }
    var headers: [String: String]? { ["X-Number": "\(number)"] }
    var validationType: ValidationType { .successCodes }

    func expects(_ response: Moya.Response) -> Bool {
        switch kind {
        case .small, .moved: response.data == Data("small".utf8)
        case .large: response.data.count == 300_000
        case .echo: response.data == content
        case .missing, .reset: false
        }
    }

    func expects(_ error: MoyaError) -> Bool {
        guard case .underlying(let underlying, let response) = error, let error = underlying as? AFError else { return false }
        return switch kind {
        case .missing: response?.statusCode == 404 && error.responseCode == 404
        case .reset: error.httpError?.kind == .connectionLost
        case .small, .large, .echo, .moved: false
        }
    }
}
#endif

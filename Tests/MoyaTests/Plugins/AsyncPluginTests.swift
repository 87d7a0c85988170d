// SPDX-License-Identifier: MIT

import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct AsyncPluginTests {
    /// Takes its time, and notes when it was asked.
    private struct Signer: AsyncPluginType {
        let journal: Journal

        func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest {
            await _Concurrency.Task.yield()
            journal.note("S preparing")
            var request = request
            request.setValue((request.value(forHTTPHeaderField: "X-Plugins") ?? "") + "S", forHTTPHeaderField: "X-Plugins")
            return request
        }

        func processing(
            _ result: Result<Moya.Response, MoyaError>, target: any TargetType
        ) async -> Result<Moya.Response, MoyaError> {
            await _Concurrency.Task.yield()
            journal.note("S processing \(result.summary)")
            return result.map { Response(statusCode: $0.statusCode, data: $0.data + Data("S".utf8), request: $0.request) }
        }
    }

    private struct Refusal: Error {}
    private struct Refuser: AsyncPluginType {
        func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest { throw Refusal() }
    }

    @Test func `plugins of both kinds are asked in their order`() async throws {
        let journal = Journal()
        let plugins: [any PluginType] = [
            RecordingPlugin(name: "A", journal: journal), Signer(journal: journal), RecordingPlugin(name: "B", journal: journal),
        ]
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub, plugins: plugins)

        let response = try await provider.request(.login(name: "n"))

        #expect(
            journal.entries == [
                "A prepare", "S preparing", "B prepare", "A willSend ASB", "B willSend ASB", "A didReceive 200 ", "B didReceive 200 ",
                "A process 200 ", "S processing 200 A", "B process 200 AS",
            ])
        #expect(String(decoding: response.data, as: UTF8.self) == "ASB")
        #expect(response.request?.value(forHTTPHeaderField: "X-Plugins") == "ASB")
    }

    @Test func `a request whose preparation fails is not sent`() async {
        let journal = Journal()
        let provider = MoyaProvider<Zoo>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Refuser(), RecordingPlugin(name: "A", journal: journal)])

        let error = await #expect(throws: MoyaError.self) { try await provider.request(.zen) }

        #expect(error?.summary == "underlying: requestAdaptationFailed Refusal()")
        #expect(journal.entries == ["A didReceive \(error?.summary ?? "")", "A process \(error?.summary ?? "")"])
    }

    @Test func `the defaults do what the plain methods do`() async throws {
        struct Plain: AsyncPluginType {
            let recorder: RecordingPlugin
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { recorder.prepare(request, target: target) }
            func process(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) -> Result<Moya.Response, MoyaError> {
                recorder.process(result, target: target)
            }
        }
        let journal = Journal()
        let provider = MoyaProvider<Zoo>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Plain(recorder: RecordingPlugin(name: "A", journal: journal))])

        _ = try await provider.request(.login(name: "n"))

        #expect(journal.entries == ["A prepare", "A process 200 "])
    }

    @Test func `completions come on the callback queue`() async {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let provider = MoyaProvider<Zoo>(
            stubClosure: MoyaProvider.immediatelyStub, callbackQueue: queue, plugins: [Signer(journal: Journal())])

        let isOnQueue = await callbackValue { callback in
            provider.request(.zen) { _ in callback(DispatchQueue.getSpecific(key: key) == true) }
        }

        #expect(isOnQueue)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import SAPFoundation

@Suite(.timeLimit(.minutes(1)))
struct HeaderObserverTests {
    @Test func `the language is sent as a tag, unless the caller has set one`() async throws {
        let server = try TestServer { _ in .ok }
        let session = SAPURLSession()
        session.register(LanguageObserver(language: "de_CH"))
        _ = await session.outcome(of: server.url("/"))
        var request = URLRequest(url: server.url("/"))
        request.setValue("fr", forHTTPHeaderField: "Accept-Language")
        _ = await session.outcome(of: request)
        #expect(server.requests.map { $0.fields.values("Accept-Language") } == [["de-CH"], ["fr"]])
    }

    @Test(
        arguments: [
            ("en_US", "en-US"), ("en_US@calendar=gregorian", "en-US"), ("zh-Hant_TW", "zh-Hant-TW"), ("en_US_POSIX", "en-US-POSIX"),
            ("C", nil),
            ("", nil), ("de\r\nX: y", nil), ("en_US.UTF-8", "en-US"),
        ] as [(String, String?)])
    func `a locale identifier becomes a language tag, or nothing`(identifier: String, tag: String?) {
        #expect(LanguageObserver.tag(identifier) == tag)
    }

    @Test func `a task keeps its correlation identifier over a resend, and another one gets another`() async throws {
        let server = try TestServer { _ in .ok }
        let session = SAPURLSession()
        let correlation = CorrelationObserver()
        session.register(correlation)
        let resending = RecordingObserver("resending")
        let resends = Locked(1)
        resending.onResponse = { _ in
            resends.withLock { count in
                count -= 1
                return count >= 0
            } ? .resend : .allow
        }
        session.register(resending)

        let task = session.dataTask(with: server.url("/"))
        #expect(correlation.correlationID(of: task) == nil)
        _ = await session.outcome(of: server.url("/"))
        _ = await session.outcome(of: server.url("/"))

        let identifiers = server.requests.map { $0.fields.values("X-CorrelationID") }
        #expect(identifiers.count == 3)
        #expect(identifiers[0] == identifiers[1])
        #expect(identifiers[1] != identifiers[2])
        #expect(identifiers[0].first?.isEmpty == false)
    }

    @Test func `the application is named, the device only if there is one`() async throws {
        let server = try TestServer { _ in .ok }
        for observer in [
            SAPcpmsObserver(applicationID: "com.example.app"), SAPcpmsObserver(applicationID: "com.example.app", deviceID: "device-1"),
        ] {
            let session = SAPURLSession()
            session.register(observer)
            _ = await session.outcome(of: server.url("/"))
        }
        #expect(server.requests.map { $0.fields.values("X-SMP-APPID") } == [["com.example.app"], ["com.example.app"]])
        #expect(server.requests.map { $0.fields.values("X-SMP-DEVICEID") } == [[], ["device-1"]])
    }

    @Test func `the indicator shows from the first task to the last, and never counts below none`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let controller = NetworkActivityIndicatorController()
        let changes = EventRecorder<Bool>()
        controller.changeHandler = { changes.record($0) }
        controller.shouldHideActivityIndicator()
        let session = SAPURLSession()
        session.register(NetworkActivityIndicatorObserver(controller: controller))

        async let first = session.outcome(of: server.url("/"))
        async let second = session.outcome(of: server.url("/"))
        try await server.waitForRequests(count: 2)
        #expect(controller.isVisible)
        gate.open()
        _ = await (first, second)
        #expect(try await changes.wait(for: 2) == [true, false])
        #expect(!controller.isVisible)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

/// A real browser, steered by W3C WebDriver.
struct WebDriver: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Reply<Value: Decodable>: Decodable {
        let value: Value
    }

    private struct Opened: Decodable {
        let sessionId: String
    }

    private struct Nothing: Decodable {}

    private let window: URL
    private let session: Session

    /// Opens a headless Chromium with a profile of its own.
    init(_ driver: URL, session: Session) async throws {
        self.session = session
        let options: [String: Any] = [
            // Everything that it loads is the test's own, so that it need not be locked up, which fails for root and in containers.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
            ]
        ]
        let capabilities = ["capabilities": ["alwaysMatch": ["browserName": "chrome", "goog:chromeOptions": options]]]
        let opened: Opened = try await Self.call(session, driver.appendingPathComponent("session"), capabilities)
        window = driver.appendingPathComponent("session").appendingPathComponent(opened.sessionId)
        // Looking for an element waits until it is there, for 30 s at most.
        try await order("timeouts", ["implicit": 30_000])
    }

    func open(_ page: URL) async throws { try await order("url", ["url": page.absoluteString]) }

    func type(_ text: String, into selector: String) async throws {
        try await order("element/\(try await element(selector))/value", ["text": text])
    }

    func click(_ selector: String) async throws { try await order("element/\(try await element(selector))/click", [:]) }

    /// Returns when a page with this heading is there: a click does not wait for where it leads.
    func waitForHeading(_ text: String) async throws { _ = try await element("//h1[.=\"\(text)\"]", by: "xpath") }

    /// What a person sees of the element.
    func text(of selector: String) async throws -> String {
        let path = "element/\(try await element(selector))/text"
        return try await Self.call(session, window.appendingPathComponent(path), nil)
    }

    func quit() async {
        _ = await session.request(window, method: .delete).serializingData().response
    }

    private func element(_ selector: String, by strategy: String = "css selector") async throws -> String {
        let found: [String: String] = try await Self.call(
            session, window.appendingPathComponent("element"), ["using": strategy, "value": selector])
        guard let id = found.values.first else { throw Failure(description: "there is no \(selector)") }
        return id
    }

    private func order(_ path: String, _ parameters: [String: Any]) async throws {
        let _: Nothing? = try await Self.call(session, window.appendingPathComponent(path), parameters)
    }

    private static func call<Value: Decodable & Sendable>(_ session: Session, _ url: URL, _ parameters: [String: Any]?) async throws
        -> Value
    {
        var request = URLRequest(url: url, timeoutInterval: 60)
        if let parameters {
            request.httpMethod = "POST"
            request.httpBody = try JSONSerialization.data(withJSONObject: parameters)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let response = await session.request(request).serializingData().response
        guard let data = response.value, response.response?.statusCode == 200 else {
            let reason = response.error.map { "\($0)" } ?? String(decoding: response.value ?? Data(), as: UTF8.self)
            throw Failure(description: "\(url.path): \(response.response?.statusCode ?? 0) \(reason.prefix(600))")
        }
        return try JSONDecoder().decode(Reply<Value>.self, from: data).value
    }
}

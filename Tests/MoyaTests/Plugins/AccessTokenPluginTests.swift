// SPDX-License-Identifier: MIT

import HTTPMessages
import Moya
import Testing

@Suite struct AccessTokenPluginTests {
    private struct Guarded: TargetType, AccessTokenAuthorizable {
        var baseURL: URL { URL(string: "https://guarded.example")! }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
        var authorizationType: AuthorizationType?
    }

    private let request = URLRequest(url: URL(string: "https://guarded.example")!)

    @Test(arguments: [(AuthorizationType.basic, "Basic t"), (.bearer, "Bearer t"), (.custom("Key"), "Key t")])
    func `the field is the scheme and the token as it is`(type: AuthorizationType, expected: String) {
        let prepared = AccessTokenPlugin { _ in "t" }.prepare(request, target: Guarded(authorizationType: type))

        #expect(prepared.allHTTPHeaderFields == ["Authorization": expected])
    }

    @Test func `an existing field is replaced`() {
        var request = request
        request.setValue("Bearer old", forHTTPHeaderField: "Authorization")

        let prepared = AccessTokenPlugin { _ in "new" }.prepare(request, target: Guarded(authorizationType: .bearer))

        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Bearer new")
    }

    @Test func `requests that need no token are left alone, and no token is asked for`() {
        let journal = Journal()
        let plugin = AccessTokenPlugin { _ in
            journal.note("asked")
            return "t"
        }

        #expect(plugin.prepare(request, target: Guarded(authorizationType: nil)).allHTTPHeaderFields?.isEmpty ?? true)
        #expect(plugin.prepare(request, target: Zoo.zen).allHTTPHeaderFields?.isEmpty ?? true)
        #expect(plugin.prepare(request, target: MultiTarget(Zoo.zen)).allHTTPHeaderFields?.isEmpty ?? true)
        #expect(journal.entries.isEmpty)
    }

    @Test func `the token is asked for the embedded target`() {
        let journal = Journal()
        let plugin = AccessTokenPlugin { target in
            journal.note("\(type(of: target))")
            return "t"
        }

        let prepared = plugin.prepare(request, target: MultiTarget(MultiTarget(Guarded(authorizationType: .bearer))))

        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Bearer t")
        #expect(journal.entries == ["Guarded"])
    }

    @Test func `a custom scheme is not the known one of its name`() {
        #expect(AuthorizationType.custom("Bearer") != .bearer)
        #expect(AuthorizationType.custom("Bearer").value == AuthorizationType.bearer.value)
    }
}

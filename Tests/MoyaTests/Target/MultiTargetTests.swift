// SPDX-License-Identifier: MIT

import Testing

@testable import Moya

@Suite struct MultiTargetTests {
    private struct Guarded: TargetType, AccessTokenAuthorizable {
        var baseURL: URL { URL(string: "https://guarded.example")! }
        var path: String { "/p" }
        var method: Moya.Method { .put }
        var sampleData: Data { Data("s".utf8) }
        var task: Task { .requestData(Data("t".utf8)) }
        var validationType: ValidationType { .customCodes([204]) }
        var headers: [String: String]? { ["A": "1"] }
        var authorizationType: AuthorizationType? { .custom("Key") }
    }

    @Test func `every property is the embedded target's`() throws {
        let target = MultiTarget(Guarded())

        #expect(target.baseURL == URL(string: "https://guarded.example"))
        #expect(target.path == "/p")
        #expect(target.method == .put)
        #expect(target.sampleData == Data("s".utf8))
        #expect(target.validationType == .customCodes([204]))
        #expect(target.headers == ["A": "1"])
        #expect(target.authorizationType == .custom("Key"))
        #expect(target.target is Guarded)
        guard case .requestData(Data("t".utf8)) = target.task else { return #expect(Bool(false), "\(target.task)") }
    }

    @Test func `a target that is not authorizable has no authorization type`() {
        #expect(MultiTarget(Zoo.zen).authorizationType == nil)
    }

    @Test func `wrappers nest and unwrap`() {
        let target = MultiTarget(MultiTarget(Guarded()))

        #expect(target.authorizationType == .custom("Key"))
        #expect(target.path == "/p")
        #expect(MultiTarget.innermost(target) is Guarded)
    }
}

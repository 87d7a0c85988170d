// SPDX-License-Identifier: MIT

import Moya
import Testing

@Suite struct ValidationTypeTests {
    @Test func `each type has its codes`() {
        #expect(ValidationType.none.statusCodes == [])
        #expect(ValidationType.successCodes.statusCodes == Array(200..<300))
        #expect(ValidationType.successAndRedirectCodes.statusCodes == Array(200..<400))
        #expect(ValidationType.customCodes([204, 200]).statusCodes == [204, 200])
    }

    @Test func `custom codes are equal in their order`() {
        #expect(ValidationType.customCodes([1, 2]) == .customCodes([1, 2]))
        #expect(ValidationType.customCodes([1, 2]) != .customCodes([2, 1]))
        #expect(ValidationType.customCodes([]) != .none)
    }
}

@Suite struct ProgressResponseTests {
    private func progress(_ completed: Int64, of total: Int64) -> Progress {
        let progress = Progress(totalUnitCount: total)
        progress.completedUnitCount = completed
        return progress
    }

    @Test func `progress is the share that is done, or 1 with a response`() {
        let response = Response(statusCode: 200, data: Data())

        #expect(ProgressResponse().progress == 0)
        #expect(ProgressResponse(progress: progress(1, of: 4)).progress == 0.25)
        #expect(ProgressResponse(progress: progress(1, of: -1)).progress == 0)
        #expect(ProgressResponse(progress: progress(1, of: 4), response: response).progress == 1)
        #expect(ProgressResponse(response: response).completed)
        #expect(!ProgressResponse(progress: progress(4, of: 4)).completed)
    }
}

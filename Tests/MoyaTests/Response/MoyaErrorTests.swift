// SPDX-License-Identifier: MIT

import HTTPSessions
import Moya
import Testing

@Suite struct MoyaErrorTests {
    private static let response = Response(statusCode: 404, data: Data("gone".utf8))
    private static let inner = NSError(domain: "d", code: 7, userInfo: [NSLocalizedDescriptionKey: "inner sentence"])

    private static let all: [(error: MoyaError, code: MoyaErrorCode, bridged: Int, hasResponse: Bool, hasInner: Bool)] = [
        (.imageMapping(response), .imageMapping, 0, true, false),
        (.jsonMapping(response), .jsonMapping, 1, true, false),
        (.stringMapping(response), .stringMapping, 2, true, false),
        (.objectMapping(inner, response), .objectMapping, 3, true, true),
        (.encodableMapping(inner), .encodableMapping, 4, false, true),
        (.statusCode(response), .statusCode, 5, true, false),
        (.underlying(inner, response), .underlying, 404, true, true),
        (.underlying(inner, nil), .underlying, 6, false, true),
        (.requestMapping("no URL"), .requestMapping, 7, false, false),
        (.parameterEncoding(inner), .parameterEncoding, 8, false, true),
    ]

    @Test(arguments: all.indices)
    func `an error bridges with its domain, code and what it knows`(index: Int) {
        let (error, code, bridgedCode, hasResponse, hasInner) = Self.all[index]
        let bridged = error as NSError

        #expect(error.code == code)
        #expect(bridged.domain == MoyaErrorDomain)
        #expect(bridged.code == bridgedCode)
        #expect(error.response === (hasResponse ? Self.response : nil))
        #expect((error.underlyingError as NSError?) === (hasInner ? Self.inner : nil))
        #expect(bridged.userInfo["data"] as? Data == (hasResponse ? Data("gone".utf8) : nil))
        #expect(bridged.userInfo["statusCode"] as? Int == (hasResponse ? 404 : nil))
        #expect((bridged.userInfo["response"] as? Response) === (hasResponse ? Self.response : nil))
        #expect((error.errorUserInfo[NSUnderlyingErrorKey] as? NSError) === (hasInner ? Self.inner : nil))
        #expect(error.errorUserInfo.keys.contains(NSUnderlyingErrorKey) == hasInner)
        #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.errorDescription)
        #expect(bridged.localizedDescription == error.errorDescription)
        #expect(error.localizedDescription == error.errorDescription)
        #expect(error.errorDescription?.isEmpty == false)
    }

    @Test func `the codes are the indices of the cases`() {
        #expect(MoyaErrorCode.allCases.map(\.rawValue) == Array(0...8))
        #expect(MoyaErrorDomain == "Moya.MoyaError")
    }

    @Test func `descriptions that speak of another error include its sentence`() {
        #expect(MoyaError.underlying(Self.inner, nil).errorDescription == "inner sentence")
        #expect(MoyaError.parameterEncoding(Self.inner).errorDescription?.hasSuffix("inner sentence") == true)
    }

    @Test func `text that is no URL is in the user info`() {
        #expect(MoyaError.requestMapping("no URL").errorUserInfo["NSErrorFailingURLStringKey"] as? String == "no URL")
    }

    @Test func `the URL error is found wherever it lies`() {
        let error = URLError(.timedOut)
        let cancelled = NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled)

        #expect(MoyaError.underlying(error, nil).urlError?.code == .timedOut)
        #expect(MoyaError.underlying(AFError.sessionTaskFailed(error: error), nil).urlError?.code == .timedOut)
        #expect(MoyaError.underlying(MoyaError.underlying(AFError.sessionTaskFailed(error: error), nil), nil).urlError?.code == .timedOut)
        #expect(MoyaError.underlying(cancelled, nil).urlError?.code == .cancelled)
        #expect(
            MoyaError.underlying(NSError(domain: "d", code: 1, userInfo: [NSUnderlyingErrorKey: error]), nil).urlError?.code == .timedOut)
        #expect(MoyaError.underlying(AFError.explicitlyCancelled, nil).urlError == nil)
        #expect(MoyaError.requestMapping("x").urlError == nil)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Session {
    /// Changes a request that was just made, before anything adapts it.
    public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

    /// A request as the `URLConvertible` forms describe it.
    struct RequestConvertible: URLRequestConvertible, @unchecked Sendable {  // the parameters are values that nobody changes
        let url: any URLConvertible
        let method: HTTPMethod
        let parameters: Parameters?
        let encoding: any ParameterEncoding
        let headers: HTTPHeaders?
        let requestModifier: RequestModifier?

        func asURLRequest() throws -> URLRequest {
            var request = try URLRequest(url: url, method: method, headers: headers)
            try requestModifier?(&request)
            return try encoding.encode(request, with: parameters)
        }
    }

    /// A request whose parameters are an `Encodable` value.
    struct RequestEncodableConvertible<Parameters: Encodable & Sendable>: URLRequestConvertible {
        let url: any URLConvertible
        let method: HTTPMethod
        let parameters: Parameters?
        let encoder: any ParameterEncoder
        let headers: HTTPHeaders?
        let requestModifier: RequestModifier?

        func asURLRequest() throws -> URLRequest {
            var request = try URLRequest(url: url, method: method, headers: headers)
            try requestModifier?(&request)
            return try parameters.map { try encoder.encode($0, into: request) } ?? request
        }
    }

    /// Lets an eager session make the request at once; it still waits to be resumed before it is sent.
    func prepared<R: Request>(_ request: R) -> R {
        if requestSetup == .eager { request.prepareEagerly() }
        return request
    }
}

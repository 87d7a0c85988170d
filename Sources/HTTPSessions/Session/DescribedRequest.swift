// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request as those forms describe it that take a URL; made when the session asks for it.
struct DescribedRequest: URLRequestConvertible, @unchecked Sendable {  // what `encode` holds are values that nobody changes
    let url: any URLConvertible
    let method: HTTPMethod
    let headers: HTTPHeaders?
    let modifier: Session.RequestModifier?
    /// Puts the parameters in, behind the modifier.
    var encode: (URLRequest) throws -> URLRequest = { $0 }

    func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        try modifier?(&request)
        return try encode(request)
    }
}

// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The outcome of a request as a result: a response without an error is a success; an error keeps the response that came with it.
///
/// With neither, the failure is an `NSError` with code `NSURLErrorUnknown`.
public func convertResponseToResult(
    _ response: HTTPURLResponse?, request: URLRequest?, data: Data?, error: (any Swift.Error)?
) -> Result<Moya.Response, MoyaError> {
    let received = response.map { response in
        Moya.Response(statusCode: response.statusCode, data: data ?? Data(), request: request, response: response)
    }
    if let error { return .failure(.underlying(error, received)) }
    if let received { return .success(received) }
    return .failure(.underlying(NSError(domain: NSURLErrorDomain, code: NSURLErrorUnknown), nil))
}

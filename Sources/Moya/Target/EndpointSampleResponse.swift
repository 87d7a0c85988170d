// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a stub answers with.
public enum EndpointSampleResponse {
    /// A status code and content.
    case networkResponse(Int, Data)

    /// A whole response head, which the ``Response`` carries as it is, and content.
    case response(HTTPURLResponse, Data)

    /// No response: the request fails with ``MoyaError/underlying(_:_:)`` around this very error.
    case networkError(NSError)
}

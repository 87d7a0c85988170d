// SPDX-License-Identifier: MIT

import Foundation

/// What a request, or the use of its response, failed with.
public indirect enum MoyaError: Swift.Error {
    /// The data is not an image.
    case imageMapping(Response)

    /// The data is not JSON.
    case jsonMapping(Response)

    /// The data is not text, or not a string at the key path.
    case stringMapping(Response)

    /// The data could not be decoded into the type asked for.
    case objectMapping(any Swift.Error, Response)

    /// A task's `Encodable` value could not be encoded.
    case encodableMapping(any Swift.Error)

    /// A filter did not accept the status code.
    case statusCode(Response)

    /// Anything else, above all a failure of the transfer, with what was received of the response.
    ///
    /// A transfer's failure is an `AFError`; see ``urlError`` for what is inside. Cancellation is `AFError.explicitlyCancelled`, or, for a
    /// request that was cancelled before it was sent and for stubs, an `NSError` with code `NSURLErrorCancelled`.
    case underlying(any Swift.Error, Response?)

    /// An endpoint's URL, given here, is not a URL.
    case requestMapping(String)

    /// A task's parameters could not be encoded.
    case parameterEncoding(any Swift.Error)
}

extension MoyaError {
    /// The response that the error speaks of, if there is one.
    public var response: Moya.Response? {
        switch self {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response), .objectMapping(_, let response),
            .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The error inside, if there is one.
    public var underlyingError: (any Swift.Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error), .underlying(let error, _), .parameterEncoding(let error): error
        case .imageMapping, .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }

    /// Which case this is; unlike `errorCode` never a status code.
    public var code: MoyaErrorCode {
        switch self {
        case .imageMapping: .imageMapping
        case .jsonMapping: .jsonMapping
        case .stringMapping: .stringMapping
        case .objectMapping: .objectMapping
        case .encodableMapping: .encodableMapping
        case .statusCode: .statusCode
        case .underlying: .underlying
        case .requestMapping: .requestMapping
        case .parameterEncoding: .parameterEncoding
        }
    }
}

extension MoyaError: LocalizedError {
    /// One sentence; for ``underlying(_:_:)`` that of the error inside.
    public var errorDescription: String? {
        switch self {
        case .imageMapping: "The response's data is not an image."
        case .jsonMapping: "The response's data is not JSON, or lacks the key path asked for."
        case .stringMapping: "The response's data is not a string."
        case .objectMapping: "The response's data could not be decoded into the type asked for."
        case .encodableMapping: "The request's Encodable value could not be encoded."
        case .statusCode: "The response's status code is not one of those accepted."
        case .underlying(let error, _): error.localizedDescription
        case .requestMapping: "The endpoint could not be turned into a request: its URL is not valid."
        case .parameterEncoding(let error): "The request's parameters could not be encoded. \(error.localizedDescription)"
        }
    }
}

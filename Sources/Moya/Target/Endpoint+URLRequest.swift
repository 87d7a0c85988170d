// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Endpoint {
    /// The request of this endpoint, its task's content and parameters included; multipart forms and files are added when it is sent.
    /// - Throws: ``MoyaError/requestMapping(_:)`` if ``url`` is not a URL, ``MoyaError/encodableMapping(_:)`` and
    ///   ``MoyaError/parameterEncoding(_:)`` around what an encoder threw.
    public func urlRequest() throws -> URLRequest {
        // Foundation would otherwise percent-encode what is not a URL until it is one.
        guard let parsed = URL(string: url, encodingInvalidCharacters: false) else { throw MoyaError.requestMapping(url) }
        var request = URLRequest(url: parsed)
        // Both assignments are dear on Linux, and most requests are GETs.
        if method != .get { request.httpMethod = method.rawValue }
        if let httpHeaderFields { request.allHTTPHeaderFields = httpHeaderFields }

        switch task {
        case .requestPlain, .uploadFile, .uploadMultipartFormData, .uploadMultipart, .downloadDestination:
            return request
        case .requestData(let data):
            request.httpBody = data
            return request
        case .requestJSONEncodable(let value):
            return try request.carryingJSON(of: value, by: JSONEncoder())
        case .requestCustomJSONEncodable(let value, let encoder):
            return try request.carryingJSON(of: value, by: encoder)
        case .requestParameters(let parameters, let encoding), .downloadParameters(let parameters, let encoding, _):
            return try request.encoded(parameters, by: encoding)
        case .requestCompositeData(let bodyData, let urlParameters):
            request.httpBody = bodyData
            return try request.encoded(urlParameters, by: URLEncoding.queryString)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            if let bodyEncoding = bodyEncoding as? URLEncoding, !bodyEncoding.writesBodyOnly {
                throw MoyaError.parameterEncoding(MoyaMisuse.compositeEncodingWritesQuery)
            }
            return try request.encoded(bodyParameters, by: bodyEncoding).encoded(urlParameters, by: URLEncoding.queryString)
        case .uploadCompositeMultipartFormData(_, let urlParameters), .uploadCompositeMultipart(_, let urlParameters):
            return try request.encoded(urlParameters, by: URLEncoding.queryString)
        }
    }
}

extension URLRequest {
    fileprivate func carryingJSON(of value: any Encodable, by encoder: JSONEncoder) throws -> URLRequest {
        var request = self
        do {
            request.httpBody = try encoder.encode(value)
        } catch {
            throw MoyaError.encodableMapping(error)
        }
        if request.value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    fileprivate func encoded(_ parameters: [String: Any], by encoding: any ParameterEncoding) throws -> URLRequest {
        do {
            return try encoding.encode(self, with: parameters)
        } catch {
            throw MoyaError.parameterEncoding(error)
        }
    }
}

extension URLEncoding {
    fileprivate var writesBodyOnly: Bool {
        switch destination {
        case .httpBody: true
        case .methodDependent, .queryString: false
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks an authorization server for tokens (RFC 6749, 3.2).
struct OAuth2TokenEndpoint: @unchecked Sendable {  // the authorizing closure is called on the thread that asks, one call at a time
    typealias Completion = @Sendable (Result<OAuth2Token, any Error>) -> Void

    let url: URL
    let session: SAPURLSession
    /// Adds the client's credentials.
    let authorize: (URLRequest) throws -> URLRequest

    /// - Returns: the task under way; `nil` if none could be made.
    @discardableResult
    func request(_ parameters: [(name: String, value: String)], _ completion: @escaping Completion) -> SAPURLSessionTask? {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.httpBody = Data(parameters.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&").utf8)
        do {
            request = try authorize(request)
        } catch {
            completion(.failure(error))
            return nil
        }
        let task = session.dataTask(with: request) { data, response, error in
            completion(Result { try Self.token(in: data, response as? HTTPURLResponse, error) })
        }
        // What is sent there is for nobody else.
        task.followsRedirects = false
        task.resume()
        return task
    }

    private struct Answer: Decodable {
        let access_token: String
        let token_type: String
        let expires_in: Seconds?
        let scope: String?
        let refresh_token: String?
    }

    private struct Refusal: Decodable {
        let error: String
        let error_description: String?
        let error_uri: String?
    }

    /// A number, as the RFC has it, or its digits in a text, as some servers have it.
    private struct Seconds: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
            } else if let number = Double(try container.decode(String.self)) {
                value = number
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "expires_in is not a number")
            }
        }
    }

    static func token(in data: Data?, _ response: HTTPURLResponse?, _ error: (any Error)?) throws -> OAuth2Token {
        if let error {
            if (error as? URLError)?.code == .cancelled { throw OAuth2Error.cancelled }
            throw OAuth2Error.http(error: error, statusCode: response?.statusCode, response: nil)
        }
        guard let response, let data else { throw OAuth2Error.missingHTTPResponse }
        guard response.statusCode == 200 else {
            if let refusal = try? JSONDecoder().decode(Refusal.self, from: data) {
                throw OAuth2Error.server(
                    error: OAuth2ServerError(
                        error: refusal.error, errorDescription: refusal.error_description, errorURI: refusal.error_uri))
            }
            throw OAuth2Error.http(error: URLError(.badServerResponse), statusCode: response.statusCode, response: nil)
        }
        let answer: Answer
        do {
            answer = try JSONDecoder().decode(Answer.self, from: data)
        } catch {
            throw OAuth2Error.parse(error: "it is not the JSON of a token", httpUrlResponse: response, data: data)
        }
        guard !answer.access_token.isEmpty, HTTPFields.isSafeValue(answer.access_token), HTTPFields.isToken(answer.token_type) else {
            throw OAuth2Error.parse(error: "its token cannot be sent in a field", httpUrlResponse: response, data: data)
        }
        return OAuth2Token(
            accessToken: answer.access_token, tokenType: answer.token_type,
            // More than a hundred years is for ever.
            expiryDate: answer.expires_in.flatMap { $0.value < 3.2e9 ? Date(timeIntervalSinceNow: $0.value) : nil },
            scopes: Set((answer.scope ?? "").split(separator: " ").map(String.init)), refreshToken: answer.refresh_token)
    }

    /// With Basic; both parts are form-encoded first (RFC 6749, 2.3.1).
    static func authorized(_ request: URLRequest, clientID: String, clientSecret: String) -> URLRequest {
        var request = request
        let credentials = Data("\(escaped(clientID)):\(escaped(clientSecret))".utf8).base64EncodedString()
        request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
        return request
    }

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

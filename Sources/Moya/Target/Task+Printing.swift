// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

// Parameters are where passwords are typed into: printing shows their names.

extension Task: CustomDebugStringConvertible, CustomReflectable {
    /// The case, with the names of parameters and the sizes of data, without their values.
    public var debugDescription: String {
        switch self {
        case .requestPlain: "requestPlain"
        case .requestData(let data): "requestData(\(data.count) bytes)"
        case .requestJSONEncodable(let value): "requestJSONEncodable(\(type(of: value)))"
        case .requestCustomJSONEncodable(let value, _): "requestCustomJSONEncodable(\(type(of: value)))"
        case .requestParameters(let parameters, let encoding):
            "requestParameters(\(Self.names(parameters)), encoding: \(type(of: encoding)))"
        case .requestCompositeData(let data, let parameters):
            "requestCompositeData(\(data.count) bytes, urlParameters: \(Self.names(parameters)))"
        case .requestCompositeParameters(let parameters, let encoding, let urlParameters):
            "requestCompositeParameters(\(Self.names(parameters)), encoding: \(type(of: encoding)), urlParameters: \(Self.names(urlParameters)))"
        case .uploadFile(let url): "uploadFile(\(url.lastPathComponent))"
        case .uploadMultipartFormData(let form): "uploadMultipartFormData(\(Self.names(form.parts)))"
        case .uploadMultipart(let parts): "uploadMultipart(\(Self.names(parts)))"
        case .uploadCompositeMultipartFormData(let form, let parameters):
            "uploadCompositeMultipartFormData(\(Self.names(form.parts)), urlParameters: \(Self.names(parameters)))"
        case .uploadCompositeMultipart(let parts, let parameters):
            "uploadCompositeMultipart(\(Self.names(parts)), urlParameters: \(Self.names(parameters)))"
        case .downloadDestination: "downloadDestination"
        case .downloadParameters(let parameters, let encoding, _):
            "downloadParameters(\(Self.names(parameters)), encoding: \(type(of: encoding)))"
        }
    }

    /// Shows what ``debugDescription`` does.
    public var customMirror: Mirror { Mirror(self, children: ["task": debugDescription], displayStyle: .enum) }

    private static func names(_ parameters: [String: Any]) -> String { "\(parameters.keys.sorted())" }
    private static func names(_ parts: [MultipartFormBodyPart]) -> String { "\(parts.map(\.name))" }
}

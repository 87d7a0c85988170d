// SPDX-License-Identifier: MIT

extension Method {
    /// Whether a multipart form may be sent with this method: true for POST, PUT, PATCH and CONNECT.
    public var supportsMultipart: Bool {
        switch self {
        case .post, .put, .patch, .connect: true
        default: false
        }
    }
}

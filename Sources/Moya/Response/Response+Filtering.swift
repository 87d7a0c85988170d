// SPDX-License-Identifier: MIT

extension Response {
    /// This response, if its status code is in the range.
    /// - Throws: ``MoyaError/statusCode(_:)``.
    public func filter<R: RangeExpression>(statusCodes: R) throws -> Response where R.Bound == Int {
        guard statusCodes.contains(statusCode) else { throw MoyaError.statusCode(self) }
        return self
    }

    /// This response, if it has this status code.
    /// - Throws: ``MoyaError/statusCode(_:)``.
    public func filter(statusCode: Int) throws -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// This response, if its status code is 200 to 299.
    /// - Throws: ``MoyaError/statusCode(_:)``.
    public func filterSuccessfulStatusCodes() throws -> Response {
        try filter(statusCodes: 200...299)
    }

    /// This response, if its status code is 200 to 399.
    /// - Throws: ``MoyaError/statusCode(_:)``.
    public func filterSuccessfulStatusAndRedirectCodes() throws -> Response {
        try filter(statusCodes: 200...399)
    }
}

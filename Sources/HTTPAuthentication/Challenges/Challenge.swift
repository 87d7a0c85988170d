// SPDX-License-Identifier: MIT

/// One challenge of a 401 or 407 response (RFC 9110, 11.3): a scheme with either token68 data or parameters.
public struct Challenge: Sendable, Hashable {
    /// A name, in lower case, with its value, without quotes and escapes.
    public struct Parameter: Sendable, Hashable {
        /// In lower case; names are compared without regard to case (RFC 9110, 11.2).
        public let name: String
        /// The value, unquoted.
        public let value: String

        /// A parameter as a parsed challenge holds it.
        public init(name: String, value: String) {
            self.name = ASCII.lowercased(name)
            self.value = value
        }
    }

    /// The scheme; its original spelling is kept.
    public let scheme: AuthenticationScheme
    /// The data of schemes such as Negotiate that carry no parameters.
    public let token68: String?
    /// In the order in which the server sent them, each name once.
    public let parameters: [Parameter]

    /// A challenge made by hand, as for tests.
    public init(scheme: AuthenticationScheme, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// The value of the parameter `name`, in any case.
    public subscript(_ name: String) -> String? {
        let name = ASCII.lowercased(name)
        return parameters.first { $0.name == name }?.value
    }

    /// The `realm` parameter (RFC 9110, 11.5). A parsed realm holds no control characters, so it is safe to show.
    public var realm: String? { self["realm"] }

    /// Reads the values of all `WWW-Authenticate` (or all `Proxy-Authenticate`) fields of one response, in order.
    ///
    /// A field may hold many challenges. What stands in a field before its first error counts, the rest of that field does not, so that
    /// one bad challenge does not hide the good ones.
    /// - Throws: ``HTTPAuthenticationError`` if no challenge can be read although a field is not empty, or if a limit is passed:
    ///   64 KiB in all, 64 challenges, 64 parameters in one of them.
    public static func parse(_ fieldValues: [String]) throws(HTTPAuthenticationError) -> [Challenge] {
        try ChallengeParser().challenges(in: fieldValues)
    }
}

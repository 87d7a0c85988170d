// SPDX-License-Identifier: MIT

/// Reads the fields that carry challenges and authentication information (RFC 9110, 11.3, 11.6; RFC 7615), within limits.
package struct ChallengeParser: Sendable {
    /// Over all fields of one response.
    package var byteLimit = 64 * 1024
    package var challengeLimit = 64
    /// In one challenge.
    package var parameterLimit = 64

    package init() {}

    /// See ``Challenge/parse(_:)``.
    package func challenges(in fieldValues: [String]) throws(HTTPAuthenticationError) -> [Challenge] {
        try checkLength(of: fieldValues)
        var challenges: [Challenge] = []
        var firstError: HTTPAuthenticationError?
        for value in fieldValues {
            var scanner = ChallengeScanner(Array(value.utf8), parser: self)
            do throws(HTTPAuthenticationError) {
                try scanner.readChallenges(into: &challenges)
            } catch {
                if !error.isMalformedChallenge { throw error }
                firstError = firstError ?? error
            }
        }
        if let firstError, challenges.isEmpty { throw firstError }
        return challenges
    }

    /// Reads the values of all `Authentication-Info` (or all `Proxy-Authentication-Info`) fields of one response.
    package func information(in fieldValues: [String]) throws(HTTPAuthenticationError) -> AuthenticationInformation {
        try checkLength(of: fieldValues)
        var parameters: [Challenge.Parameter] = []
        for value in fieldValues {
            var scanner = ChallengeScanner(Array(value.utf8), parser: self)
            try scanner.readParameters(into: &parameters)
        }
        return AuthenticationInformation(parameters: parameters)
    }

    private func checkLength(of fieldValues: [String]) throws(HTTPAuthenticationError) {
        var rest = byteLimit
        for value in fieldValues {
            rest -= value.utf8.count
            if rest < 0 { throw .fieldsTooLong(limit: byteLimit) }
        }
    }
}

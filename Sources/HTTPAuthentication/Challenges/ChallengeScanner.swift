// SPDX-License-Identifier: MIT

/// Reads one field's value from left to right.
///
/// No byte is looked at more than a fixed number of times: the only step back is from what looked like token68 to a parameter's name.
/// Generic so that a test can count the looks.
package struct ChallengeScanner<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    private let bytes: Bytes
    private let parser: ChallengeParser
    private var position: Int

    package init(_ bytes: Bytes, parser: ChallengeParser) {
        self.bytes = bytes
        self.parser = parser
        position = bytes.startIndex
    }

    /// Appends each challenge that is complete; what was appended before an error stays.
    package mutating func readChallenges(into challenges: inout [Challenge]) throws(HTTPAuthenticationError) {
        var current: (scheme: AuthenticationScheme, token68: String?, parameters: [Challenge.Parameter])?
        while skipEmptyElements() {
            let start = position
            let name = try token()
            let isSpaced = skipWhitespace()
            if peek() == ASCII.equals {
                guard current != nil else { throw malformed(.schemeMissing, at: start) }
                if current?.token68 != nil { throw malformed(.parameterAfterToken68, at: start) }
                try readValue(of: name, startingAt: start, into: &current!.parameters)
            } else {
                try append(current, to: &challenges)
                current = (AuthenticationScheme(name), nil, [])
                if isSpaced, let next = peek(), next != ASCII.comma {
                    if let token68 = token68() {
                        current?.token68 = token68
                    } else {
                        try readParameter(into: &current!.parameters)
                    }
                }
            }
            try expectSeparator()
        }
        try append(current, to: &challenges)
    }

    /// Reads `#auth-param`, the form of Authentication-Info (RFC 7615, 3).
    mutating func readParameters(into parameters: inout [Challenge.Parameter]) throws(HTTPAuthenticationError) {
        while skipEmptyElements() {
            try readParameter(into: &parameters)
            try expectSeparator()
        }
    }

    private func append(
        _ challenge: (scheme: AuthenticationScheme, token68: String?, parameters: [Challenge.Parameter])?, to challenges: inout [Challenge]
    ) throws(HTTPAuthenticationError) {
        guard let challenge else { return }
        if challenges.count == parser.challengeLimit { throw .tooManyChallenges(limit: parser.challengeLimit) }
        challenges.append(Challenge(scheme: challenge.scheme, token68: challenge.token68, parameters: challenge.parameters))
    }

    private mutating func readParameter(into parameters: inout [Challenge.Parameter]) throws(HTTPAuthenticationError) {
        let start = position
        let name = try token()
        skipWhitespace()
        guard peek() == ASCII.equals else { throw malformed(.valueMissing, at: position) }
        try readValue(of: name, startingAt: start, into: &parameters)
    }

    /// Reads from the equals sign on.
    private mutating func readValue(
        of name: String, startingAt start: Int, into parameters: inout [Challenge.Parameter]
    ) throws(HTTPAuthenticationError) {
        position += 1
        skipWhitespace()
        let value = peek() == ASCII.quote ? try quotedString() : try unquotedValue()
        let parameter = Challenge.Parameter(name: name, value: value)
        // The limit on the count keeps this look-up's cost constant.
        if parameters.contains(where: { $0.name == parameter.name }) { throw malformed(.parameterRepeated, at: start) }
        if parameters.count == parser.parameterLimit { throw .tooManyParameters(limit: parser.parameterLimit) }
        parameters.append(parameter)
    }

    private mutating func token() throws(HTTPAuthenticationError) -> String {
        let start = position
        while let byte = peek(), ASCII.isToken(byte) { position += 1 }
        if position == start { throw malformed(.tokenExpected, at: start) }
        return text(start..<position)
    }

    /// Nil, and the position unchanged, unless the whole list element is token68.
    private mutating func token68() -> String? {
        let start = position
        while let byte = peek(), ASCII.isToken68(byte) { position += 1 }
        if position > start {
            while peek() == ASCII.equals { position += 1 }
            let end = position
            skipWhitespace()
            if peek() == nil || peek() == ASCII.comma { return text(start..<end) }
        }
        position = start
        return nil
    }

    /// A token, and beyond the grammar the slash and the equals sign: some servers leave Base64 values unquoted.
    private mutating func unquotedValue() throws(HTTPAuthenticationError) -> String {
        let start = position
        while let byte = peek(), ASCII.isToken(byte) || byte == ASCII.slash || byte == ASCII.equals { position += 1 }
        if position == start { throw malformed(.valueMissing, at: start) }
        return text(start..<position)
    }

    /// RFC 9110, 5.6.4. Control characters are refused, those of C1 too, since realms are shown to people on terminals.
    private mutating func quotedString() throws(HTTPAuthenticationError) -> String {
        let opening = position
        position += 1
        let start = position
        var unescaped: [UInt8]?
        var previous: UInt8 = 0
        while let byte = peek() {
            if byte == ASCII.quote {
                let value = unescaped.map { String(decoding: $0, as: UTF8.self) } ?? text(start..<position)
                position += 1
                return value
            }
            var literal = byte
            if byte == ASCII.backslash {
                if unescaped == nil { unescaped = Array(bytes[start..<position]) }
                position += 1
                guard let escaped = peek() else { break }
                literal = escaped
            }
            if ASCII.isControl(literal) && literal != ASCII.tab || ASCII.isSecondHalfOfC1(literal, after: previous) {
                throw malformed(.controlCharacter, at: position)
            }
            unescaped?.append(literal)
            previous = literal
            position += 1
        }
        throw malformed(.quoteUnterminated, at: opening)
    }

    private mutating func expectSeparator() throws(HTTPAuthenticationError) {
        skipWhitespace()
        guard let byte = peek() else { return }
        if byte != ASCII.comma { throw malformed(.separatorExpected, at: position) }
    }

    /// Lists may hold empty elements (RFC 9110, 5.6.1.2). False at the end of the field.
    private mutating func skipEmptyElements() -> Bool {
        while let byte = peek(), ASCII.isWhitespace(byte) || byte == ASCII.comma { position += 1 }
        return position < bytes.endIndex
    }

    @discardableResult
    private mutating func skipWhitespace() -> Bool {
        let start = position
        while let byte = peek(), ASCII.isWhitespace(byte) { position += 1 }
        return position > start
    }

    @inline(__always)
    private func peek() -> UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func malformed(_ syntax: HTTPAuthenticationError.Syntax, at position: Int) -> HTTPAuthenticationError {
        .malformed(syntax, offset: position - bytes.startIndex)
    }
}

// SPDX-License-Identifier: MIT

/// `name=token` and `name="quoted string"`, separated by semicolons or commas (RFC 9110, 5.6.6 and 11.2).
enum Parameters {
    static func parse(_ text: some StringProtocol) -> FieldList {
        var fields = FieldList()
        var rest = Array(text.unicodeScalars)[...]
        while !rest.isEmpty {
            while let first = rest.first, first == " " || first == ";" || first == "," || first == "\t" { rest.removeFirst() }
            let name = rest.prefix { $0 != "=" && $0 != ";" && $0 != "," }
            rest = rest.dropFirst(name.count)
            guard rest.popFirst() == "=" else { continue }
            var value = String.UnicodeScalarView()
            if rest.first == "\"" {
                rest.removeFirst()
                while let scalar = rest.popFirst(), scalar != "\"" {
                    value.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
                }
            } else {
                let token = rest.prefix { $0 != ";" && $0 != "," && $0 != " " }
                value.append(contentsOf: token)
                rest = rest.dropFirst(token.count)
            }
            var nameText = String.UnicodeScalarView()
            nameText.append(contentsOf: name)
            fields.append(String(nameText), String(value))
        }
        return fields
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Testing

@Suite struct URLEncodedFormEncoderTests {
    private struct Address: Codable {
        var streetName = "Main"
        var houseNumbers = [1, 2]
    }

    private struct Person: Codable {
        var firstName = "Ada L"
        var isActive = true
        var score = 1.5
        var address = Address()
        var nickname: String?
        var age: Int? = 36
    }

    private struct Sparse: Encodable {
        var a: Int?
        var b: [Int?] = [1, nil]
        var c: Address?
    }

    private func encode(_ value: some Encodable, _ encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()) throws -> String {
        try encoder.encode(value)
    }

    @Test func `a value is written with the defaults`() throws {
        #expect(
            try encode(Person())
                == "address%5BhouseNumbers%5D%5B%5D=1&address%5BhouseNumbers%5D%5B%5D=2&address%5BstreetName%5D=Main"
                + "&age=36&firstName=Ada%20L&isActive=1&score=1.5")
        let data: Data = try URLEncodedFormEncoder().encode(["a": "é"])
        #expect(data == Data("a=%C3%A9".utf8))
    }

    @Test func `without alphabetical order the value's own is kept`() throws {
        #expect(
            try encode(Person(), URLEncodedFormEncoder(alphabetizeKeyValuePairs: false)).hasPrefix(
                "firstName=Ada%20L&isActive=1&score=1.5&"))
    }

    @Test func `array elements have four forms of name`() throws {
        func form(_ array: URLEncodedFormEncoder.ArrayEncoding) throws -> String? {
            try encode(["k": [1, 2]], URLEncodedFormEncoder(arrayEncoding: array)).removingPercentEncoding
        }

        #expect(try form(.brackets) == "k[]=1&k[]=2")
        #expect(try form(.noBrackets) == "k=1&k=2")
        #expect(try form(.indexInBrackets) == "k[0]=1&k[1]=2")
        #expect(try form(.custom { "\($0)-\($1)" }) == "k-0=1&k-1=2")
        #expect(try encode(["k": [["a": [1]], ["a": []]]]).removingPercentEncoding == "k[][a][]=1")
    }

    @Test func `Booleans, data and dates have their forms`() throws {
        let date = Date(timeIntervalSince1970: 1.5)
        func form(_ dates: URLEncodedFormEncoder.DateEncoding) throws -> String {
            try encode(["d": date], URLEncodedFormEncoder(dateEncoding: dates))
        }
        func form(_ data: URLEncodedFormEncoder.DataEncoding) throws -> String? {
            try encode(["d": Data([1, 255])], URLEncodedFormEncoder(dataEncoding: data)).removingPercentEncoding
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy"

        #expect(try encode(["b": false], URLEncodedFormEncoder(boolEncoding: .literal)) == "b=false")
        #expect(try form(.deferredToDate) == "d=\(date.timeIntervalSinceReferenceDate)")
        #expect(try form(.secondsSince1970) == "d=1.5")
        #expect(try form(.millisecondsSince1970) == "d=1500.0")
        #expect(try form(.iso8601) == "d=1970-01-01T00%3A00%3A01Z")
        #expect(try form(.formatted(formatter)) == "d=1970")
        #expect(try form(URLEncodedFormEncoder.DateEncoding.custom { _ in "x" }) == "d=x")
        #expect(try form(.base64) == "d=Af8=")
        #expect(try form(.deferredToData) == "d[]=1&d[]=255")
        #expect(try form(URLEncodedFormEncoder.DataEncoding.custom { "\($0.count)" }) == "d=2")
    }

    @Test(arguments: [
        ("oneTwoThree", "one_two_three", "one-two-three", "OneTwoThree"),
        ("myURLProperty", "my_url_property", "my-url-property", "MyURLProperty"),
        ("a", "a", "a", "A"), ("", "", "", ""), ("URL", "url", "url", "URL"),
        ("already_snake", "already_snake", "already_snake", "Already_snake"),
        ("item2Name", "item2_name", "item2-name", "Item2Name"),
    ])
    func `keys are converted`(key: String, snake: String, kebab: String, capitalized: String) throws {
        func name(_ keys: URLEncodedFormEncoder.KeyEncoding) throws -> String {
            String(try encode([key: 1], URLEncodedFormEncoder(keyEncoding: keys)).dropLast(2))
        }

        #expect(try name(.convertToSnakeCase) == snake)
        #expect(try name(.convertToKebabCase) == kebab)
        #expect(try name(.capitalized) == capitalized)
        #expect(try name(.uppercased) == key.uppercased())
        #expect(try name(.lowercased) == key.lowercased())
        #expect(try name(.custom { "x\($0)" }) == "x\(key)")
        #expect(try name(.useDefaultKeys) == key)
    }

    @Test func `nested names have brackets, dots or what is asked for`() throws {
        let value = ["a": ["b": ["c": 1]]]

        #expect(try encode(value).removingPercentEncoding == "a[b][c]=1")
        #expect(try encode(value, URLEncodedFormEncoder(keyPathEncoding: .dots)) == "a.b.c=1")
        #expect(try encode(value, URLEncodedFormEncoder(keyPathEncoding: .init { "-\($0)" })) == "a-b-c=1")
    }

    @Test func `nil is dropped, empty, null or what is asked for, in values and arrays`() throws {
        func form(_ nils: URLEncodedFormEncoder.NilEncoding) throws -> String? {
            let encoded: String = try URLEncodedFormEncoder(nilEncoding: nils).encode(Sparse())
            return encoded.removingPercentEncoding
        }

        #expect(try form(.dropKey) == "b[]=1")
        #expect(try form(.dropValue) == "a=&b[]=1&b[]=&c=")
        #expect(try form(.null) == "a=null&b[]=1&b[]=null&c=null")
        #expect(try form(.init { "none" }) == "a=none&b[]=1&b[]=none&c=none")
    }

    @Test func `a space can be a plus sign and a plus sign is always escaped`() throws {
        #expect(try encode(["a b": "1 + 2"], URLEncodedFormEncoder(spaceEncoding: .plusReplaced)) == "a+b=1+%2B+2")
        #expect(try encode(["a b": "1 + 2"]) == "a%20b=1%20%2B%202")
        #expect(try encode(["a": "/é!"], URLEncodedFormEncoder(allowedCharacters: CharacterSet(charactersIn: "!"))) == "%61=%2F%C3%A9!")
    }

    @Test func `numbers, URLs, decimals and raw values are text`() throws {
        enum Kind: String, Encodable { case plain }
        struct Value: Encodable {
            var a = UInt64.max
            var b = Int8(-1)
            var c = URL(string: "https://h/?q")
            var d = Decimal(string: "1.10")
            var e = Kind.plain
            var f = Float(0.1)
        }

        #expect(try encode(Value()).removingPercentEncoding == "a=18446744073709551615&b=-1&c=https://h/?q&d=1.1&e=plain&f=0.1")
    }

    @Test func `classes write their superclass under its key`() throws {
        class Base: Encodable {
            let base = 1
        }
        class Derived: Base {
            enum Keys: String, CodingKey { case own }

            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(2, forKey: .own)
                try super.encode(to: container.superEncoder())
            }
        }

        #expect(try encode(Derived()).removingPercentEncoding == "own=2&super[base]=1")
    }

    @Test func `a value may write into one container more than once`() throws {
        struct Twice: Encodable {
            enum Keys: String, CodingKey { case a, nested, list }

            func encode(to encoder: any Encoder) throws {
                var first = encoder.container(keyedBy: Keys.self)
                var second = encoder.container(keyedBy: Keys.self)
                try first.encode(1, forKey: .a)
                try second.encode(2, forKey: .a)
                var nested = first.nestedContainer(keyedBy: Keys.self, forKey: .nested)
                try nested.encode("x", forKey: .a)
                var list = second.nestedUnkeyedContainer(forKey: .list)
                try list.encode(1)
                var inner = list.nestedUnkeyedContainer()
                try inner.encode(2)
                try list.encodeNil()
            }
        }

        #expect(try encode(Twice()).removingPercentEncoding == "a=2&list[]=1&list[][]=2&nested[a]=x")
    }

    @Test func `a value without names is an error, and an empty one an empty form`() throws {
        #expect(throws: URLEncodedFormEncoder.Error.self) { try encode(5) }
        #expect(throws: URLEncodedFormEncoder.Error.self) { try encode([1]) }
        #expect(try encode([String: Int]()) == "")
    }
}

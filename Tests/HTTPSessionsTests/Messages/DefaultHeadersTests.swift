// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct DefaultHeadersTests {
    @Test func `the three default fields are there`() {
        #expect(HTTPHeaders.default.map(\.name) == ["Accept-Encoding", "Accept-Language", "User-Agent"])
        #expect(HTTPHeaders.default.allSatisfy { !$0.value.isEmpty })
    }

    @Test func `codings come with falling quality`() {
        #expect(["br", "gzip", "deflate"].qualityValues() == "br;q=1.0, gzip;q=0.9, deflate;q=0.8")
        #expect((0..<12).map(String.init).qualityValues().hasSuffix("9;q=0.1, 10;q=0.1, 11;q=0.1"))
    }

    @Test func `only what the transport undoes is asked for`() {
        let configuration = URLSessionConfiguration.af.default

        #expect(HTTPHeader.defaultAcceptEncoding.value == DefaultTransport.make().acceptedContentCodings)
        let less = ExchangeSettings(configuration, acceptedContentCodings: "gzip")
        #expect(less.defaultFields.values(for: "Accept-Encoding") == ["gzip"])
        #expect(!ExchangeSettings(configuration, acceptedContentCodings: nil).defaultFields.contains(name: "Accept-Encoding"))
        configuration.headers["accept-encoding"] = "own"
        #expect(ExchangeSettings(configuration, acceptedContentCodings: "gzip").defaultFields.values(for: "Accept-Encoding") == ["own"])
    }

    @Test(arguments: [
        (["en", "fr"], "en;q=1.0, fr;q=0.9"),
        (["a", "b", "c", "d", "e", "f", "g"], "a;q=1.0, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5"),
        ([], "*"),
        (["", "en\r\nX: y", "de-AT"], "de-AT;q=1.0"),
    ])
    func `up to six languages are asked for`(languages: [String], value: String) {
        #expect(HTTPHeader.languages(languages) == value)
    }

    @Test func `the user agent names program, system and library`() {
        let version = OperatingSystemVersion(majorVersion: 6, minorVersion: 18, patchVersion: 44)
        let bare = UserAgent(executable: "probe", system: "Linux", systemVersion: version)
        let full = UserAgent(
            executable: "App (b\r\néta)", version: "1.2", bundleIdentifier: "org.example.app", build: "7", system: "iOS",
            systemVersion: version)

        #expect(bare.value == "probe/Unknown (Unknown; build:Unknown; Linux 6.18.44) OpenMoya/\(UserAgent.libraryVersion)")
        #expect(full.value == "App _b___ta_/1.2 (org.example.app; build:7; iOS 6.18.44) OpenMoya/\(UserAgent.libraryVersion)")
    }
}

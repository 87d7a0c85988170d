// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPSessions

@Suite struct CertificateTests {
    @Test func `the public key of a certificate is what OpenSSL says`() {
        #expect(CertificateDER.subjectPublicKeyInfo(of: Certificates.server) == Certificates.serverKey)
        #expect(CertificateDER.subjectPublicKeyInfo(of: Certificates.pinnedRoot) == Certificates.pinnedRootKey)
        #expect(CertificateDER.subjectPublicKeyInfo(of: Certificates.versionOne) == Certificates.versionOneKey)
    }

    @Test func `a certificate within other data is read from where it starts`() {
        let within = (Data([1, 2, 3]) + Certificates.server)[3...]

        #expect(CertificateDER.subjectPublicKeyInfo(of: within) == Certificates.serverKey)
    }

    @Test func `a certificate cut off anywhere has no key, and none with bytes behind it`() {
        for length in 0..<Certificates.server.count {
            #expect(CertificateDER.subjectPublicKeyInfo(of: Certificates.server.prefix(length)) == nil)
        }
        #expect(CertificateDER.subjectPublicKeyInfo(of: Certificates.server + [0]) == nil)
    }

    @Test func `no changed byte makes reading trap`() {
        var read = 0
        for index in Certificates.server.indices {
            for flip in [0x01, 0x80, 0xFF] as [UInt8] {
                var damaged = Certificates.server
                damaged[index] ^= flip
                if CertificateDER.subjectPublicKeyInfo(of: damaged) != nil { read += 1 }
            }
        }
        #expect(read < 3 * Certificates.server.count)
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x80, 0, 0], [0x30, 0x81, 0x01, 0], [0x30, 0x82, 0, 0x80], [0x30, 0x85, 1, 0, 0, 0, 0],
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0xFF], [0x1F, 0x01, 0], [0x30, 0x02, 0],
        ] as [[UInt8]])
    func `lengths that are not DER are refused`(bytes: [UInt8]) {
        var reader = DERReader(Data(bytes))

        #expect(reader.next() == nil)
    }

    @Test func `elements are read one after the other`() throws {
        var reader = DERReader(Data([0x02, 0x01, 0x05, 0x30, 0x00, 0x04, 0x81, 0x80]) + Data(repeating: 7, count: 128))

        #expect(reader.read(DERReader.sequence) == nil)
        #expect(reader.read(DERReader.integer)?.content == Data([5]))
        #expect(reader.read(DERReader.sequence)?.encoding == Data([0x30, 0]))
        #expect(reader.next()?.content.count == 128)
        #expect(reader.isAtEnd)
    }

    @Test func `PEM gives each of its certificates, DER itself`() {
        func pem(_ certificate: Data) -> String {
            "-----BEGIN CERTIFICATE-----\n\(certificate.base64EncodedString(options: .lineLength64Characters))\n-----END CERTIFICATE-----\n"
        }
        let file = Data(("# a comment\n" + pem(Certificates.server) + "text between\r\n" + pem(Certificates.pinnedRoot)).utf8)

        #expect(CertificateFile.certificates(in: file) == [Certificates.server, Certificates.pinnedRoot])
        #expect(CertificateFile.certificates(in: Certificates.server) == [Certificates.server])
        #expect(CertificateFile.certificates(in: Data("-----BEGIN CERTIFICATE-----\nAAAA".utf8)).isEmpty)
        #expect(CertificateFile.certificates(in: Data()).isEmpty)
    }
}

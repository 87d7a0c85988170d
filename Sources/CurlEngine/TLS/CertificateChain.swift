// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation

/// The chain that a server showed in the handshake, taken out of libcurl's report.
enum CertificateChain {
    /// DER certificates, the server's own first; empty if this transfer did not make its connection.
    static func shown(to easy: UnsafeMutableRawPointer) -> [Data] {
        guard let report = ccurl_easy_certificates(easy)?.pointee, let lists = report.certinfo else { return [] }
        var chain: [Data] = []
        for index in 0..<Int(report.num_of_certs) {
            var entry = lists[index]
            while let current = entry {
                if let text = current.pointee.data, let certificate = certificate(in: String(cString: text)) { chain.append(certificate) }
                entry = current.pointee.next
            }
        }
        return chain
    }

    /// The certificate of a line `Cert:-----BEGIN CERTIFICATE-----…`; `nil` for any other line.
    static func certificate(in line: String) -> Data? {
        let begin = "-----BEGIN CERTIFICATE-----"
        guard line.hasPrefix("Cert:"), let start = line.range(of: begin)?.upperBound,
            let end = line.range(of: "-----END CERTIFICATE-----")?.lowerBound, start <= end
        else { return nil }
        return Data(base64Encoded: String(line[start..<end]), options: .ignoreUnknownCharacters)
    }
}
#endif

// SPDX-License-Identifier: MIT

import SAPFoundation

func isOurs(_ certificates: [Data]) -> Bool { false }

// snippet.judge
/// Lets the house's own servers pass, and leaves all others to the system.
final class HouseRules: SAPURLSessionDelegate {
    var answersServerTrust: Bool { true }

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void
    ) {
        guard let certificates = challenge.serverCertificates, isOurs(certificates),
            let credential = ServerTrustCredential(accepting: challenge)
        else { return completionHandler(.performDefaultHandling) }
        completionHandler(.use(credential))
    }
}
// snippet.end

// snippet.downloads
/// Keeps a large file coming over a line that breaks.
func fetch(_ url: URL, to destination: URL, in session: SAPURLSession, resuming resumeData: Data? = nil) {
    let handler: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = { file, _, error in
        if let file {
            try? FileManager.default.moveItem(at: file, to: destination)
        } else if let rest = (error as? URLError)?.resumeData {
            fetch(url, to: destination, in: session, resuming: rest)
        }
    }
    let task = resumeData.map { session.downloadTask(withResumeData: $0, completionHandler: handler) }
    (task ?? session.downloadTask(with: url, completionHandler: handler)).resume()
}
// snippet.end

// snippet.stream
/// Opens the file anew each time that its content has to be sent.
final class Uploads: SAPURLSessionDelegate {
    private let file: URL
    init(_ file: URL) { self.file = file }

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { completionHandler(InputStream(url: file)) }
}
// snippet.end

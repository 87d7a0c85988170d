// SPDX-License-Identifier: MIT

import BenchmarkFrame

#if Alamofire
import Alamofire
import Foundation

/// Alamofire's asynchronous methods, over URLSession.
@main
struct AlamofireClient: BenchmarkedClient {
    static let name = "alamofire"
    private let session: Session

    init(connections: Int?, authority: String?) {
        let configuration = URLSessionConfiguration.ephemeral
        if let connections { configuration.httpMaximumConnectionsPerHost = connections }
        configuration.urlCache = nil
        configuration.headers = .default
        session = Session(configuration: configuration)
    }

    func get(_ url: String) -> Get {
        {
            let response = await session.request(url).serializingData().response
            return Answer(status: response.response?.statusCode ?? 0, length: response.value?.count ?? 0)
        }
    }

    func download(_ url: String, to path: String) async -> Bool {
        let file = URL(fileURLWithPath: path)
        let response = await session.download(url, to: { _, _ in (file, []) }).serializingDownloadedFileURL().response
        return response.response?.statusCode == 200 && response.error == nil
    }
}
#else
@main
enum Absent {
    static func main() throws { throw Complaint("built without the trait Alamofire") }
}
#endif

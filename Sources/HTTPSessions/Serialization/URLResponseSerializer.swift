// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands on the downloaded file's URL, without reading the file.
public struct URLResponseSerializer: DownloadResponseSerializerProtocol {
    /// Hands on the URL.
    public init() {}

    /// The file's URL.
    /// - Throws: `error`; `inputFileNil` if there is no file.
    public func serializeDownload(request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?) throws -> URL {
        if let error { throw error }
        guard let fileURL else { throw AFError.responseSerializationFailed(reason: .inputFileNil) }
        return fileURL
    }
}

extension DownloadResponseSerializerProtocol where Self == URLResponseSerializer {
    /// Hands on the downloaded file's URL.
    public static var url: URLResponseSerializer { URLResponseSerializer() }
}

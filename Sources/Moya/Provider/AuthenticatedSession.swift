// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session to which a 401 is an error, so that its interceptor gets to see it whatever the target's validation accepts.
final class AuthenticatedSession: Session, @unchecked Sendable {  // adds nothing that changes
    private static let accepted = Set(100..<1000).subtracting([401])

    override func request(_ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
        super.request(convertible, interceptor: interceptor).validate(statusCode: Self.accepted)
    }

    override func download(
        _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        super.download(convertible, interceptor: interceptor, to: destination).validate(statusCode: Self.accepted)
    }

    override func upload(
        _ fileURL: URL, with convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        super.upload(fileURL, with: convertible, interceptor: interceptor).validate(statusCode: Self.accepted)
    }

    override func upload(
        multipartFormData: RequestMultipartFormData, with request: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = RequestMultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default
    ) -> UploadRequest {
        super.upload(
            multipartFormData: multipartFormData, with: request, usingThreshold: encodingMemoryThreshold, interceptor: interceptor,
            fileManager: fileManager
        ).validate(statusCode: Self.accepted)
    }
}

// SPDX-License-Identifier: MIT

import HTTPSessions

/// What sends a provider's requests. Pass one of your own to give a provider its configuration, interceptors or trust rules.
public typealias Session = HTTPSessions.Session

/// The method of a request. Write `Moya.Method` where Objective-C's `Method` is in scope as well.
public typealias Method = HTTPSessions.HTTPMethod

/// How parameters get into a request.
public typealias ParameterEncoding = HTTPSessions.ParameterEncoding

/// Parameters as a JSON body.
public typealias JSONEncoding = HTTPSessions.JSONEncoding

/// Parameters as a query or as a form body.
public typealias URLEncoding = HTTPSessions.URLEncoding

/// The session's encoder of multipart forms; a target describes its form as a ``MultipartFormData``.
public typealias RequestMultipartFormData = HTTPSessions.MultipartFormData

/// Says where a downloaded file goes. Called once the file is complete, on the engine's thread, or by the task that waits for the request.
public typealias DownloadDestination = HTTPSessions.DownloadRequest.Destination

/// Adapts a session's requests before they are sent, and decides about retrying those that failed.
public typealias RequestInterceptor = HTTPSessions.RequestInterceptor

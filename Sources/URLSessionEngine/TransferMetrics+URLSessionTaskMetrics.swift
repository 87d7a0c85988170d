// SPDX-License-Identifier: MIT

#if canImport(Darwin)

import Foundation
import HTTPMessages

extension TransferMetrics {
    /// What Foundation measured of the last transaction; `nil` if it measured none.
    init?(_ metrics: URLSessionTaskMetrics) {
        guard let transaction = metrics.transactionMetrics.last else { return nil }
        let start = metrics.taskInterval.start
        func since(_ date: Date?) -> Duration? {
            date.map { .seconds($0.timeIntervalSince(start)) }
        }
        self.init(total: .seconds(metrics.taskInterval.duration))
        nameLookup = since(transaction.domainLookupEndDate)
        connect = since(transaction.connectEndDate)
        tlsHandshake = since(transaction.secureConnectionEndDate)
        requestStart = since(transaction.requestStartDate)
        firstByte = since(transaction.responseStartDate)
        headBytesSent = transaction.countOfRequestHeaderBytesSent
        contentBytesSent = transaction.countOfRequestBodyBytesSent
        headBytesReceived = transaction.countOfResponseHeaderBytesReceived
        contentBytesReceived = transaction.countOfResponseBodyBytesReceived
        switch transaction.networkProtocolName {
        case "http/1.0": version = .http1_0
        case "http/1.1": version = .http1_1
        case "h2": version = .http2
        case "h3": version = .http3
        default: version = nil
        }
        reusedConnection = transaction.isReusedConnection
        remoteAddress = transaction.remoteAddress
        remotePort = transaction.remotePort
        localAddress = transaction.localAddress
        localPort = transaction.localPort
        usedProxy = transaction.isProxyConnection
    }
}

#endif

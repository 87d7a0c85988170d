// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

extension EasyHandle {
    /// What the transfer cost, read once at its end.
    func metrics(version: HTTPVersion?) -> TransferMetrics {
        guard hasBegun else { return TransferMetrics(total: .zero) }
        var metrics = TransferMetrics(total: .zero)
        metrics.times.total = CompactDuration(microseconds: offset(CURLINFO_TOTAL_TIME_T))
        metrics.reusedConnection = long(CURLINFO_NUM_CONNECTS) == 0 && version != nil
        if !metrics.reusedConnection {
            metrics.times.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
            metrics.times.connect = time(CURLINFO_CONNECT_TIME_T)
            metrics.times.tlsHandshake = time(CURLINFO_APPCONNECT_TIME_T)
        }
        metrics.times.requestStart = time(CURLINFO_PRETRANSFER_TIME_T)
        metrics.times.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.headBytesSent = Int64(long(CURLINFO_REQUEST_SIZE))
        metrics.contentBytesSent = offset(CURLINFO_SIZE_UPLOAD_T)
        metrics.headBytesReceived = Int64(long(CURLINFO_HEADER_SIZE))
        metrics.contentBytesReceived = offset(CURLINFO_SIZE_DOWNLOAD_T)
        metrics.version = version
        metrics.remoteAddress = text(CURLINFO_PRIMARY_IP)
        metrics.localAddress = text(CURLINFO_LOCAL_IP)
        if metrics.remoteAddress != nil { metrics.remotePort = long(CURLINFO_PRIMARY_PORT) }
        if metrics.localAddress != nil { metrics.localPort = long(CURLINFO_LOCAL_PORT) }
        metrics.usedProxy = usesProxy
        metrics.ticketProblem = ticketProblem
        return metrics
    }

    /// Bytes of content received so far, content codings not undone.
    var contentBytesOnWire: Int64 { offset(CURLINFO_SIZE_DOWNLOAD_T) }

    /// Bytes of content sent so far.
    var contentBytesSent: Int64 { offset(CURLINFO_SIZE_UPLOAD_T) }

    /// The status with which a proxy answered CONNECT, 0 if it was not asked.
    var connectStatus: Int { long(CURLINFO_HTTP_CONNECTCODE) }

    /// OpenSSL's verdict on the server's chain, 0 if it found nothing wrong.
    var verifyResult: Int { long(CURLINFO_SSL_VERIFYRESULT) }

    /// The socket of the connection that the transfer went over, while that stands.
    var connectedSocket: Int32? {
        let socket = ccurl_easy_connected_socket(easy)
        return socket >= 0 ? socket : nil
    }

    private var usesProxy: Bool {
        guard applied.proxy != .none else { return false }
        let answer = ccurl_easy_used_proxy(easy)
        return answer < 0 ? transfer.map { !multi.settings.proxies.exempts($0.prepared.host) } ?? false : answer > 0
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_easy_get_long(easy, info, &value)
        return value
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        ccurl_easy_get_offset(easy, info, &value)
        return Int64(value)
    }

    /// A time from the start of the transfer; libcurl has 0 for what did not happen.
    private func time(_ info: CURLINFO) -> CompactDuration {
        let microseconds = offset(info)
        return microseconds > 0 ? CompactDuration(microseconds: microseconds) : .none
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        ccurl_easy_get_string(easy, info, &value)
        guard let value, value[0] != 0 else { return nil }
        return String(cString: value)
    }
}
#endif

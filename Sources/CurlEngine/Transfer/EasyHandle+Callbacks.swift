// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import Glibc
import HTTPMessages

extension EasyHandle {
    /// Answers of the read callback that are no counts.
    private static let readAbort = Int(CURL_READFUNC_ABORT)
    private static let readPause = Int(CURL_READFUNC_PAUSE)

    /// Tells libcurl whom to call; each callback finds the handle through its last argument, and does nothing but pass on.
    func setCallbacks() {
        let handle = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA] {
            ccurl_easy_set_pointer(easy, option, handle)
        }
        ccurl_easy_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, handle in
            guard let handle, let transfer = EasyHandle.from(handle).transfer else { return 0 }
            return transfer.contentArrived(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        ccurl_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, handle in
            guard let bytes, let handle, let transfer = EasyHandle.from(handle).transfer else { return 0 }
            let lines = UnsafeRawBufferPointer(start: bytes, count: count)
            return transfer.headerLinesArrived(lines.assumingMemoryBound(to: UInt8.self)) ? count : 0
        }
        ccurl_easy_set_data_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, handle in
            guard let bytes, let handle, let transfer = EasyHandle.from(handle).transfer else { return EasyHandle.readAbort }
            switch transfer.bodyIsWanted(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
            case .bytes(let count): return count
            case .wait: return EasyHandle.readPause
            case .failed: return EasyHandle.readAbort
            }
        }
        ccurl_easy_set_seek_callback(easy) { handle, offset, origin in
            guard let handle, let transfer = EasyHandle.from(handle).transfer, offset == 0, origin == SEEK_SET else {
                return CURL_SEEKFUNC_FAIL
            }
            return transfer.bodyIsWantedAgain() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
        ccurl_easy_set_prerequest_callback(easy) { handle, remote, local, remotePort, localPort in
            guard let handle, let transfer = EasyHandle.from(handle).transfer else { return CURL_PREREQFUNC_ABORT }
            EasyHandle.from(handle).requestIsSent()
            let mayGoOn = transfer.connectionStands {
                TrustVerdicts.Connection(
                    local: local.map { String(cString: $0) } ?? "", localPort: Int(localPort),
                    remote: remote.map { String(cString: $0) } ?? "", remotePort: Int(remotePort))
            }
            return mayGoOn ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        setSocketCallbacks()
        setProgressCallback()
        setDebugCallback()
    }

    /// Called only where libcurl was told to, by ``watchChallenge(limit:)``.
    private func setProgressCallback() {
        ccurl_easy_set_pointer(easy, CURLOPT_XFERINFODATA, Unmanaged.passUnretained(self).toOpaque())
        ccurl_easy_set_progress_callback(easy) { handle, _, _, _, _ in
            guard let handle else { return 0 }
            let this = EasyHandle.from(handle)
            this.challengeLeft -= 1
            return this.challengeLeft < 0 ? 1 : 0
        }
    }

    /// Limits the content of a proxy's challenge to CONNECT: libcurl (7.88) reads over it within one call, however much comes, but says for
    /// each byte that it is still there.
    func watchChallenge(limit: Int) {
        watchesChallenge = true
        challengeLeft = limit
        ccurl_easy_set_long(easy, CURLOPT_NOPROGRESS, 0)
    }

    /// Has libcurl show the next line of a head before it stores it, for ``CurlFeatures/mistakesFirstFoldedLine``.
    ///
    /// The only way to that is to have libcurl talk about what it does, which costs as much as the request; hence for one line only.
    func watchFirstLine() {
        watchesFirstLine = true
        ccurl_easy_set_long(easy, CURLOPT_VERBOSE, 1)
    }

    /// Has libcurl say why the system gives it no token, which it tells in no other way.
    func listenToTickets() {
        listensToTickets = true
        ccurl_easy_set_long(easy, CURLOPT_VERBOSE, 1)
    }

    /// Called only where libcurl was told to talk.
    private func setDebugCallback() {
        ccurl_easy_set_pointer(easy, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
        ccurl_easy_set_debug_callback(easy) { _, kind, bytes, count, handle in
            guard let bytes, let handle, count > 0 else { return 0 }
            let this = EasyHandle.from(handle)
            switch kind {
            case CURLINFO_HEADER_IN where this.watchesFirstLine:
                this.watchesFirstLine = false
                if !this.listensToTickets { ccurl_easy_set_long(this.easy, CURLOPT_VERBOSE, 0) }
                guard bytes[0] == 0x20 || bytes[0] == 0x09 else { return 0 }
                // libcurl takes it for a line like any other, until its callback gives up.
                bytes[0] = CChar(bitPattern: UInt8(ascii: ":"))
                this.transfer?.firstLineIsFolded()
            case CURLINFO_TEXT where this.listensToTickets:
                this.noteTicketProblem(UnsafeRawBufferPointer(start: bytes, count: count))
            default: break
            }
            return 0
        }
    }

    /// libcurl says `gss_init_sec_context() failed: ` and then the system's words: names of files, of realms and of services, no secrets.
    private func noteTicketProblem(_ bytes: UnsafeRawBufferPointer) {
        let start = "gss_init_sec_context() failed: ".utf8
        guard bytes.starts(with: start) else { return }
        let words = String(decoding: bytes.dropFirst(start.count), as: UTF8.self)
        ticketProblem = words.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A socket is opened for a transfer, but may outlive the easy handle: the multi handle hears of its end.
    private func setSocketCallbacks() {
        ccurl_easy_set_pointer(easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
        ccurl_easy_set_open_socket_callback(easy) { handle, _, address in
            guard let handle, let address else { return CURL_SOCKET_BAD }
            let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(address.pointee.family, kind, address.pointee.protocol)
            guard descriptor >= 0 else { return CURL_SOCKET_BAD }
            let this = EasyHandle.from(handle)
            this.multi.socketWasOpened(descriptor)
            this.connectionBegins()
            this.transfer?.connectionBegins()
            return descriptor
        }
        let multi = Unmanaged.passUnretained(multi).toOpaque()
        ccurl_easy_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, multi)
        ccurl_easy_set_close_socket_callback(easy) { multi, descriptor in
            if let multi { Unmanaged<MultiHandle>.fromOpaque(multi).takeUnretainedValue().socketWillClose(descriptor) }
            return close(descriptor)
        }
    }
}
#endif

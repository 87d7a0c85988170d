// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// A libcurl easy handle that serves one transfer after another.
///
/// What is the same for all transfers of a transport is set once; ``apply(_:)`` sets the rest, and only what the transfer before had
/// otherwise: `curl_easy_reset` and setting everything again costs more than the request's way through the engine.
final class EasyHandle {
    /// What the options that change from transfer to transfer are set to.
    struct Applied {
        var shape = PreparedRequest.Shape.get
        var hasCustomMethod = false
        var hasProxyFieldLines = false
        var decodesContent = true
        var versions = HTTPVersionPolicy.automatic
        var waitsToMultiplex = false
        var proxy = ProxySettings.Proxy.none
        var weight = 16
        var trust: HostTrust?
        var chainRequirement: ChainRequirement?
        var forbidsReuse = false
    }

    /// libcurl reads as much at a time, before it cuts it into pieces of 16 KiB. It allocates and frees it for each transfer, and from
    /// 64 KiB on glibc tidies up its whole heap at each such free.
    static let receiveBufferSize = 61_440
    /// libcurl asks for as much of a body at a time.
    static let sendBufferSize = 262_144

    let easy: UnsafeMutableRawPointer
    unowned let multi: MultiHandle
    /// What it works on.
    unowned(unsafe) var transfer: Transfer?
    var applied = Applied()
    /// Whether it is thrown away after this transfer, since libcurl keeps what came of it (7.88): over all transfers it counts the requests
    /// that it sent again, and gives up at the sixth; after one server has refused an expectation, it waits for no other's consent; and
    /// with credentials of its own it remembers how far it came with them. Hence only a transfer without them that was sent once and ended
    /// well gives its handle back.
    private(set) var isSpent = false
    /// ``MultiHandle/turnCount`` when libcurl was given the transfer.
    private var turnCountBefore = 0
    /// Whether libcurl has begun to send this transfer's request.
    private var hasSent = false
    /// Whether the next line of a head is one behind the status line.
    private var isInHead = false
    /// Whether libcurl has a field line of this transfer's that a folded one would continue.
    private var hasFieldLine = false
    /// Whether libcurl is to show the next line of a head before it stores it.
    var watchesFirstLine = false
    /// Whether the content of a proxy's challenge is counted, and how much of it may still come.
    var watchesChallenge = false
    var challengeLeft = 0
    /// Whether libcurl is to say why it has no token.
    var listensToTickets = false
    /// The system's reason why there was no token for Negotiate.
    var ticketProblem: String?
    private let errorText: UnsafeMutablePointer<CChar>
    private let resolve: UnsafeMutablePointer<curl_slist>?
    /// The first option that libcurl refused, which it would do for every transfer.
    private(set) var setUpProblem: String?

    /// `nil` if there is no memory left.
    init?(multi: MultiHandle) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.multi = multi
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText[0] = 0
        var list: UnsafeMutablePointer<curl_slist>?
        for entry in multi.settings.resolvedAddresses { list = curl_slist_append(list, entry) ?? list }
        resolve = list
        setConstants()
        setCallbacks()
    }

    deinit {
        curl_easy_cleanup(easy)
        errorText.deallocate()
        curl_slist_free_all(resolve)
    }

    /// The handle that libcurl's pointer belongs to.
    static func behind(_ easy: UnsafeMutableRawPointer) -> EasyHandle? {
        var pointer: UnsafeMutableRawPointer?
        guard ccurl_easy_get_pointer(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK, let pointer else { return nil }
        return from(pointer)
    }

    static func from(_ pointer: UnsafeMutableRawPointer) -> EasyHandle {
        Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Stops or continues reading and sending; another code than CURLE_OK if a callback gave up on content that had been held, which
    /// libcurl then reports nowhere else.
    func pause(reading: Bool, sending: Bool) -> CURLcode {
        let code = curl_easy_pause(easy, (reading ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0))
        // Before the connection stands there is nothing to pause; the callbacks look again then.
        return code == CURLE_BAD_FUNCTION_ARGUMENT ? CURLE_OK : code
    }

    // MARK: One transfer

    /// A transfer begins.
    func begin(logsIn: Bool) {
        turnCountBefore = multi.turnCount
        hasSent = false
        isInHead = false
        hasFieldLine = false
        if logsIn { isSpent = true }
    }

    /// Whether libcurl has worked on the transfer; until then, what it says is of the one before.
    var hasBegun: Bool { multi.turnCount != turnCountBefore }

    /// libcurl is about to send the request, for the first time or again.
    func requestIsSent() {
        if hasSent { isSpent = true }
        hasSent = true
        guard watchesChallenge else { return }
        watchesChallenge = false
        ccurl_easy_set_long(easy, CURLOPT_NOPROGRESS, 1)
    }

    /// libcurl makes a connection, for the first time or because the one that it used is gone.
    func connectionBegins() {
        if hasSent { isSpent = true }
    }

    /// libcurl gave up, or was stopped.
    func hasFailed() {
        if hasBegun { isSpent = true }
    }

    /// A line of a head has come. What libcurl takes for a status line need not look like one.
    func headerLineArrived(_ line: UnsafeBufferPointer<UInt8>) {
        guard !hasFieldLine, CurlFeatures.current.mistakesFirstFoldedLine else { return }
        let isEmpty = line.first == 0x0D || line.first == 0x0A
        if isInHead { hasFieldLine = !isEmpty } else { watchFirstLine() }
        isInHead = !isEmpty
    }

    // MARK: Messages

    /// What libcurl says about the failure, if it does.
    var errorMessage: String { String(cString: errorText) }

    func clearErrorMessage() { errorText[0] = 0 }

    // MARK: What is the same for all transfers

    private func setConstants() {
        let settings = multi.settings
        let configuration = settings.configuration
        set(CURLOPT_NOSIGNAL, 1)
        ccurl_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        check(ccurl_easy_allow_only_http(easy), CURLOPT_URL)
        ccurl_easy_never_wait_for_resolver(easy)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_HTTPAUTH, 0)
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        // Undoes every content coding it knows; the field in the request is the caller's.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_BUFFERSIZE, Self.receiveBufferSize)
        set(CURLOPT_UPLOAD_BUFFERSIZE, Self.sendBufferSize)
        // The engine keeps the time; libcurl's own limit of 300 seconds must not come first.
        set(CURLOPT_CONNECTTIMEOUT, 1_000_000)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // Empty, so that libcurl does not look into the environment.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, settings.proxies.exceptions)
        if let path = configuration.unixSocketPath { set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if let interface = configuration.localInterface { set(CURLOPT_INTERFACE, interface) }
        if let resolve { check(ccurl_easy_set_list(easy, CURLOPT_RESOLVE, resolve), CURLOPT_RESOLVE) }
        setTLS(settings)
    }

    private func setTLS(_ settings: EngineSettings) {
        let tls = settings.configuration.tls
        let least = tls.minimumVersion == .tls1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
        let most =
            switch tls.maximumVersion {
            case nil: CURL_SSLVERSION_MAX_DEFAULT
            case .tls1_2: CURL_SSLVERSION_MAX_TLSv1_2
            case .tls1_3: CURL_SSLVERSION_MAX_TLSv1_3
            }
        set(CURLOPT_SSLVERSION, Int(least) | Int(most))
        setAuthorities(additional: nil)
        if settings.proxies.haveTLS { setProxyTLS(settings, versions: Int(least) | Int(most)) }
        guard let certificate = settings.clientCertificate else { return }
        set(CURLOPT_SSLCERTTYPE, settings.clientKey == nil ? "P12" : "PEM")
        setBlob(CURLOPT_SSLCERT_BLOB, certificate)
        if let key = settings.clientKey { setBlob(CURLOPT_SSLKEY_BLOB, key) }
        if let passphrase = tls.clientCertificate?.passphrase { set(CURLOPT_KEYPASSWD, passphrase) }
    }

    /// Whom to trust: the configured authorities, or with `additional` those that count for one host.
    func setAuthorities(additional: MemoryBlock?) {
        let settings = multi.settings
        switch settings.configuration.tls.authorities {
        case .system: break
        case .pem, .pemFile: ccurl_easy_set_string(easy, CURLOPT_CAPATH, nil)
        }
        if let blob = additional ?? settings.authorities {
            return setBlob(CURLOPT_CAINFO_BLOB, blob)
        }
        ccurl_easy_set_pointer(easy, CURLOPT_CAINFO_BLOB, nil)
        if case .pemFile(let file) = settings.configuration.tls.authorities { set(CURLOPT_CAINFO, file.path) }
    }

    /// A proxy that is spoken to within TLS is trusted as a server is.
    private func setProxyTLS(_ settings: EngineSettings, versions: Int) {
        set(CURLOPT_PROXY_SSLVERSION, versions)
        switch settings.configuration.tls.authorities {
        case .system: break
        case .pem:
            ccurl_easy_set_string(easy, CURLOPT_PROXY_CAPATH, nil)
            if let authorities = settings.authorities { setBlob(CURLOPT_PROXY_CAINFO_BLOB, authorities) }
        case .pemFile(let file):
            ccurl_easy_set_string(easy, CURLOPT_PROXY_CAPATH, nil)
            set(CURLOPT_PROXY_CAINFO, file.path)
        }
    }

    // MARK: Setting

    func set(_ option: CURLoption, _ value: Int) { check(ccurl_easy_set_long(easy, option, value), option) }

    func set(_ option: CURLoption, _ value: String) { check(ccurl_easy_set_string(easy, option, value), option) }

    private func setBlob(_ option: CURLoption, _ block: MemoryBlock) {
        check(ccurl_easy_set_blob(easy, option, block.bytes.baseAddress, block.bytes.count), option)
    }

    private func check(_ code: CURLcode, _ option: CURLoption) {
        guard code != CURLE_OK, setUpProblem == nil else { return }
        let name = curl_easy_option_by_id(option).flatMap { $0.pointee.name }.map { String(cString: $0) } ?? "\(option.rawValue)"
        setUpProblem = "libcurl refuses the option \(name): \(String(cString: curl_easy_strerror(code)))"
    }
}
#endif

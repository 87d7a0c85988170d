// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Glibc

/// The sockets that libcurl wants to hear of, in an epoll set.
///
/// libcurl lets go of a connection's socket after each transfer and asks for it again at the next. A socket that was announced with
/// ``keep(_:for:)`` stays in the set meanwhile, since its closing will be reported, too; that saves two system calls a request.
/// Others are taken out at once: libcurl (7.88) closes its resolver's descriptors, and sockets on which no connection came about, without a
/// word, and the next descriptor may have the same number.
///
/// So may the next socket within a turn, after libcurl closed one whose event of that turn is still to be told. Each event therefore
/// carries the generation of its descriptor, which changes with each socket of that number.
struct SocketPoller {
    /// What a socket became ready for.
    struct Event {
        let descriptor: Int32
        let multi: MultiHandle
        let isReadable: Bool
        let isWritable: Bool
        let hasFailed: Bool
    }

    private struct Socket {
        /// Not retained: ``forget(_:)`` comes before its end.
        let multi: Unmanaged<MultiHandle>
        /// The events that epoll watches, 0 if the socket is not in the set.
        var watched: UInt32 = 0
        /// The events that libcurl wants.
        var wanted: UInt32 = 0
        /// Whether it stays in the set, and ``closed(_:)`` will be called.
        var isKept = false
    }

    private static let readable = EPOLLIN.rawValue
    private static let writable = EPOLLOUT.rawValue
    private let epoll: Int32
    private let wakeDescriptor: Int32
    /// By descriptor.
    private var sockets: [Socket?] = []
    /// By descriptor. Only whether two are equal matters, so they may wrap.
    private var generations: [UInt32] = []
    private let ready: UnsafeMutableBufferPointer<epoll_event>

    /// `nil` if the system has no descriptor left. A poller is never destroyed.
    init?(wakeDescriptor: Int32) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return nil }
        ready = .allocate(capacity: 256)
        self.wakeDescriptor = wakeDescriptor
        var event = epoll_event(
            events: Self.readable | EPOLLET.rawValue, data: epoll_data_t(u64: UInt64(UInt32(bitPattern: wakeDescriptor))))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, &event)
    }

    /// A socket was opened. What is known of its number belongs to one that is gone; if that was still to be watched, libcurl does not know
    /// that there is another, and will not ask again.
    mutating func opened(_ descriptor: Int32, for multi: MultiHandle) {
        advanceGeneration(of: descriptor)
        guard var socket = self[descriptor] else { return }
        guard socket.multi.toOpaque() == Unmanaged.passUnretained(multi).toOpaque() else {
            self[descriptor] = nil
            return
        }
        socket.isKept = false
        socket.watched = 0
        if socket.wanted != 0 { register(&socket, descriptor) }
        self[descriptor] = socket
    }

    /// A connection stands on this socket, and its end will be reported.
    mutating func keep(_ descriptor: Int32, for multi: MultiHandle) {
        var socket = entry(descriptor, of: multi)
        socket.isKept = true
        self[descriptor] = socket
    }

    /// The multi handle is about to go.
    mutating func forget(_ multi: MultiHandle) {
        let gone = Unmanaged.passUnretained(multi).toOpaque()
        for index in sockets.indices where sockets[index]?.multi.toOpaque() == gone { sockets[index] = nil }
    }

    /// What is known of a descriptor; of one that another multi handle had, nothing: it is another socket.
    private func entry(_ descriptor: Int32, of multi: MultiHandle) -> Socket {
        let multi = Unmanaged.passUnretained(multi)
        guard let socket = self[descriptor], socket.multi.toOpaque() == multi.toOpaque() else { return Socket(multi: multi) }
        return socket
    }

    /// Must be called before the descriptor is closed, which takes it out of the epoll set.
    mutating func closed(_ descriptor: Int32) {
        self[descriptor] = nil
        advanceGeneration(of: descriptor)
    }

    /// Watches for what libcurl wants of a socket; nothing at all stops it.
    mutating func watch(_ descriptor: Int32, for multi: MultiHandle, reading: Bool, writing: Bool) {
        var socket = entry(descriptor, of: multi)
        socket.wanted = (reading ? Self.readable : 0) | (writing ? Self.writable : 0)
        if socket.wanted == 0 {
            if !socket.isKept {
                epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
                self[descriptor] = nil
                advanceGeneration(of: descriptor)
                return
            }
        } else if socket.wanted != socket.watched {
            register(&socket, descriptor)
        }
        self[descriptor] = socket
    }

    private func register(_ socket: inout Socket, _ descriptor: Int32) {
        var event = epoll_event(events: socket.wanted, data: epoll_data_t(u64: tag(of: descriptor)))
        let isNew = socket.watched == 0
        // The set may know better than the table, after a socket was closed without a word.
        if epoll_ctl(epoll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) != 0 {
            epoll_ctl(epoll, isNew ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event)
        }
        socket.watched = socket.wanted
    }

    /// A descriptor with its generation.
    private func tag(of descriptor: Int32) -> UInt64 {
        let generation = descriptor < generations.count ? generations[Int(descriptor)] : 0
        return UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }

    private mutating func advanceGeneration(of descriptor: Int32) {
        while generations.count <= descriptor { generations.append(0) }
        generations[Int(descriptor)] &+= 1
    }

    /// Waits for at most `milliseconds` (-1: for ever) and says how many sockets are ready.
    func wait(milliseconds: Int32) -> Int {
        Int(max(0, epoll_wait(epoll, ready.baseAddress, Int32(ready.count), milliseconds)))
    }

    /// One of the events that ``wait(milliseconds:)`` counted; `nil` if nobody wants it.
    mutating func event(_ index: Int) -> Event? {
        let event = ready[index]
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
        guard descriptor != wakeDescriptor, event.data.u64 == tag(of: descriptor), let socket = self[descriptor] else { return nil }
        let hasFailed = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        guard socket.wanted != 0 else {
            // An idle connection has something to say, most often that it is closed; libcurl looks when it next wants to use it.
            epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
            sockets[Int(descriptor)]?.watched = 0
            return nil
        }
        let wanted = event.events & socket.wanted
        return Event(
            descriptor: descriptor, multi: socket.multi.takeUnretainedValue(), isReadable: wanted & Self.readable != 0,
            isWritable: wanted & Self.writable != 0, hasFailed: hasFailed)
    }

    private subscript(descriptor: Int32) -> Socket? {
        get { descriptor < sockets.count ? sockets[Int(descriptor)] : nil }
        set {
            while sockets.count <= descriptor { sockets.append(nil) }
            sockets[Int(descriptor)] = newValue
        }
    }
}
#endif

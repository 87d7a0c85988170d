// SPDX-License-Identifier: MIT

import Foundation

/// How an exchange, and with it the connection, ends before its regular end.
enum ExchangeEnd: Error {
    /// The server closes, by script or after a request it cannot read.
    case close
    /// The server resets the connection, by script.
    case reset
    /// The client has gone, or the server is being closed.
    case peerGone
}

/// A connection's socket with a read buffer. Belongs to the connection's thread; others may only shut the descriptor down.
final class SocketStream {
    let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var unread = 0..<0

    private static let peekFlags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    private static let readNowFlags = Int32(MSG_DONTWAIT)
    #if canImport(Darwin)
    private static let sendFlags = Int32(MSG_DONTWAIT)
    private static let hangUp: Int16 = 0
    #else
    private static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    private static let hangUp = Int16(0x2000)  // POLLRDHUP, which Glibc hides behind _GNU_SOURCE
    #endif

    init(descriptor: Int32) {
        self.descriptor = descriptor
        #if canImport(Darwin)
        ListeningSocket.set(SO_NOSIGPIPE, to: 1, on: descriptor)
        #endif
    }

    deinit {
        buffer.deallocate()
    }

    // MARK: Reading

    /// Bytes that were read but not consumed; valid until the next call of a method.
    var buffered: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[unread]) }

    func consume(_ count: Int) {
        unread = (unread.lowerBound + count)..<unread.upperBound
    }

    /// Reads what there is, waiting for something if there is nothing.
    /// - Returns: false at the end of the stream, or when the connection broke.
    func fill() -> Bool {
        if unread.isEmpty {
            unread = 0..<0
        } else if unread.upperBound == buffer.count {
            let moved = unread.count
            memmove(buffer.baseAddress!, buffer.baseAddress! + unread.lowerBound, moved)
            unread = 0..<moved
        }
        guard unread.upperBound < buffer.count else { return false }
        while true {
            let count = recv(descriptor, buffer.baseAddress! + unread.upperBound, buffer.count - unread.upperBound, 0)
            if count > 0 {
                unread = unread.lowerBound..<(unread.upperBound + count)
                return true
            }
            guard count < 0, errno == EINTR else { return false }
        }
    }

    // MARK: Writing

    /// Hands all bytes to the system and reports each piece it took; `stalled` is told when nothing went out for `threshold`, and again
    /// when something does.
    func write(
        _ bytes: UnsafeRawBufferPointer, threshold: Duration, took: (Int) -> Void, stalled: (Bool) -> Void
    ) throws(ExchangeEnd) {
        var offset = 0
        while offset < bytes.count {
            let count = send(descriptor, bytes.baseAddress! + offset, bytes.count - offset, Self.sendFlags)
            if count > 0 {
                offset += count
                took(count)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                try waitUntilWritable(threshold: threshold, stalled: stalled)
            } else if errno != EINTR {
                throw .peerGone
            }
        }
    }

    private func waitUntilWritable(threshold: Duration, stalled: (Bool) -> Void) throws(ExchangeEnd) {
        let milliseconds = Self.milliseconds(threshold)
        var isStalled = false
        defer { if isStalled { stalled(false) } }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&entry, 1, isStalled ? -1 : milliseconds)
            if count == 0 {
                isStalled = true
                stalled(true)
            } else if count < 0, errno != EINTR {
                throw .peerGone
            } else if count > 0 {
                // An error or hang-up is reported by the next send.
                return
            }
        }
    }

    // MARK: Waiting

    /// For `poll`, rounded up.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = max(duration, .zero).components
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Waits at `gate`, but no longer than until `end`, and gives up when the client goes away.
    func wait(at gate: TestGate, until end: ContinuousClock.Instant? = nil) throws(ExchangeEnd) {
        guard let pipe = try? WakePipe() else { throw .close }
        guard let ticket = gate.arrive(whenLetThrough: { pipe.wake() }) else { return }
        defer { gate.leave(ticket) }
        var looksForInput = true
        while true {
            var entries = [
                pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Self.hangUp | (looksForInput ? Int16(POLLIN) : 0), revents: 0),
            ]
            let count = poll(&entries, 2, end.map { Self.milliseconds(ContinuousClock.now.duration(to: $0)) } ?? -1)
            if count < 0 {
                guard errno == EINTR else { throw .close }
                continue
            }
            if count == 0 { return }
            if entries[0].revents != 0 { return }
            if entries[1].revents & ~Int16(POLLIN) != 0 { throw .peerGone }
            var byte: UInt8 = 0
            let waiting = recv(descriptor, &byte, 1, Self.peekFlags)
            if waiting == 0 || (waiting < 0 && errno != EAGAIN && errno != EINTR) { throw .peerGone }
            // More of a request is there; from now on only the hang-up counts.
            if waiting > 0 { looksForInput = false }
        }
    }

    /// Waits while `duration` passes on `clock`, and gives up when the client goes away.
    ///
    /// Real time needs no task, which would have to wait until the threads that tasks run on are free.
    func pause(_ duration: Duration, on clock: any Clock<Duration>) throws(ExchangeEnd) {
        let gate = TestGate()
        if clock is ContinuousClock { return try wait(at: gate, until: .now + duration) }
        let sleeper = Task {
            try? await clock.sleep(for: duration)
            gate.open()
        }
        defer { sleeper.cancel() }
        try wait(at: gate)
    }

    // MARK: Ending

    enum Ending {
        /// Sends FIN. What the client is still sending gets a RST from the system, as from any server that has closed.
        case close
        /// Sends FIN, then reads on until the client closes, so that no RST overtakes a response that the client has not read yet.
        case lingeringClose
        case reset
    }

    /// Prepares the descriptor for being closed.
    func end(_ ending: Ending) {
        switch ending {
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        case .close:
            shutdown(descriptor, Int32(SHUT_WR))
            // Unread input would turn the close into a reset.
            while recv(descriptor, buffer.baseAddress!, buffer.count, Self.readNowFlags) > 0 {}
        case .lingeringClose:
            shutdown(descriptor, Int32(SHUT_WR))
            while recv(descriptor, buffer.baseAddress!, buffer.count, 0) > 0 {}
        }
    }
}

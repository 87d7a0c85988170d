// SPDX-License-Identifier: MIT

#if Curl && os(Linux)

/// Whether it pays to poll for an event rather than to fall asleep: being woken takes longer than most of a request over a fast connection
/// does.
///
/// It pays while events come within ``longest``, as the last wait showed; a wait that took longer ends it, so that a slow server costs one
/// vain try.
struct BusyPoll {
    /// Nanoseconds: about twice what falling asleep and being woken takes.
    static let longest: UInt64 = 100_000

    private(set) var pays = false

    /// A wait, asleep or not, has taken so many nanoseconds.
    mutating func waited(_ nanoseconds: UInt64) { pays = nanoseconds < Self.longest }
}
#endif

// SPDX-License-Identifier: MIT

/// What came of taking over what an attempt brought.
enum TakenOver {
    /// It is taken over, or failed in an error that the attempt fails with, too.
    case done(AFError?)
    /// The rest takes its time and must not hold up the transport's thread: it is run on another one.
    case later(@Sendable () -> AFError?)
}

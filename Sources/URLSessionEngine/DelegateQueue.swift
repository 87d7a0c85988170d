// SPDX-License-Identifier: MIT

import Foundation

/// The serial queue on which a transport's receivers are called.
///
/// It stands on a dispatch queue of its own, which gets a thread at once; an operation queue by itself waits when others block the threads
/// of the shared pool.
final class DelegateQueue: OperationQueue, @unchecked Sendable {  // its one property does not change
    // `underlyingQueue` does not keep it.
    private let dispatchQueue = DispatchQueue(label: "openmoya.urlsession")

    override init() {
        super.init()
        name = "openmoya.urlsession"
        maxConcurrentOperationCount = 1
        underlyingQueue = dispatchQueue
    }
}

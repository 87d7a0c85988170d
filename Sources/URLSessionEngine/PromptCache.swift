// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
import FoundationNetworking
import Foundation

/// A cache that stands before another and answers at once, within the call.
///
/// FoundationNetworking (6.3.1) asks the cache before a task starts, and `URLCache` answers later, on its own queue. If the task is
/// cancelled in between, starting and stopping it become two separate blocks. A response that arrives between them completes and
/// unregisters the task, and the stop that follows traps. To be removed when FoundationNetworking no longer traps there.
final class PromptCache: URLCache, @unchecked Sendable {  // its one property does not change, and a URLCache may be used on any thread
    private let original: URLCache

    init(before original: URLCache) {
        self.original = original
        super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: NSTemporaryDirectory())
    }

    /// Has the session's tasks ask its cache, if it has one, without a pause. On Linux a session's configuration can be changed while it
    /// works.
    static func install(in session: URLSession) {
        guard let cache = session.configuration.urlCache, !(cache is PromptCache) else { return }
        session.configuration.urlCache = PromptCache(before: cache)
    }

    override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap { original.cachedResponse(for: $0) })
    }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? { original.cachedResponse(for: request) }

    override func storeCachedResponse(_ response: CachedURLResponse, for request: URLRequest) {
        original.storeCachedResponse(response, for: request)
    }

    override func storeCachedResponse(_ response: CachedURLResponse, for dataTask: URLSessionDataTask) {
        original.storeCachedResponse(response, for: dataTask)
    }

    override func removeCachedResponse(for request: URLRequest) { original.removeCachedResponse(for: request) }

    override func removeCachedResponse(for dataTask: URLSessionDataTask) { original.removeCachedResponse(for: dataTask) }

    override func removeAllCachedResponses() { original.removeAllCachedResponses() }

    override func removeCachedResponses(since date: Date) { original.removeCachedResponses(since: date) }

    override var memoryCapacity: Int {
        get { original.memoryCapacity }
        set { original.memoryCapacity = newValue }
    }

    override var diskCapacity: Int {
        get { original.diskCapacity }
        set { original.diskCapacity = newValue }
    }

    override var currentMemoryUsage: Int { original.currentMemoryUsage }

    override var currentDiskUsage: Int { original.currentDiskUsage }
}
#endif

// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

/// One caller who waits for an outcome, with everything that telling it takes.
///
/// A class, since it is handed on several times for each request, and a copy of a target costs as much as the target is large.
final class Recipient<Target: TargetType> {
    let target: Target
    let delivery: Delivery
    let plugins: PluginChain
    let progress: ProgressBlock?
    let completion: Completion

    init(target: Target, delivery: Delivery, plugins: PluginChain, progress: ProgressBlock?, completion: @escaping Completion) {
        self.target = target
        self.delivery = delivery
        self.plugins = plugins
        self.progress = progress
        self.completion = completion
    }

    /// What came before the outcome, for the last call of the progress block.
    enum Transfer {
        /// Nothing was sent and no stub answered.
        case nothing
        /// A stub answered.
        case stub
        /// A transfer ended, with this progress.
        case network(ProgressSnapshot)
    }

    /// Tells the outcome: the last progress, then the result as the plugins leave it. Call it where the callbacks belong.
    func finish(_ result: Result<Response, MoyaError>, after transfer: Transfer, then done: @escaping () -> Void) {
        reportLastProgress(of: result, after: transfer)
        plugins.process(result, target: target, on: delivery) { [completion] processed in
            completion(processed)
            done()
        }
    }

    private func reportLastProgress(of result: Result<Response, MoyaError>, after transfer: Transfer) {
        guard let progress else { return }
        let response = try? result.get()
        switch transfer {
        case .nothing: break
        case .stub: if let response { progress(ProgressResponse(response: response)) }
        case .network(let snapshot): progress(ProgressResponse(progress: snapshot.progress, response: response))
        }
    }
}

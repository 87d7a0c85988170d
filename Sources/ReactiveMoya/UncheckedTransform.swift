// SPDX-License-Identifier: MIT

import Moya

/// A response operator as a function that returns its error.
///
/// Decoders and ranges are not known to be `Sendable`; a stream calls its operators for one value at a time, and a decoder that is passed
/// to several must be safe to use from their threads.
func uncheckedTransform<U>(_ transform: @escaping (Response) throws -> U) -> @Sendable (Response) -> Result<U, MoyaError> {
    nonisolated(unsafe) let transform = transform
    return { response in
        do {
            return .success(try transform(response))
        } catch {
            return .failure((error as? MoyaError) ?? .underlying(error, nil))
        }
    }
}

// SPDX-License-Identifier: MIT

extension Result {
    /// The error, if this is a failure.
    var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// The value transformed; what `transform` throws becomes the failure.
    func tryMap<NewSuccess>(_ transform: (Success) throws -> NewSuccess) -> Result<NewSuccess, any Error> {
        mapError { $0 as any Error }.flatMap { value in Result<NewSuccess, any Error> { try transform(value) } }
    }

    /// The failure transformed; what `transform` throws becomes the failure.
    func tryMapError<NewFailure: Error>(_ transform: (Failure) throws -> NewFailure) -> Result<Success, any Error> {
        mapError { failure in
            do {
                return try transform(failure)
            } catch {
                return error
            }
        }
    }
}

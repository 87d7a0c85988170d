// SPDX-License-Identifier: MIT

#if !canImport(Combine) && !OpenCombine
import Foundation
import Moya

extension MoyaProvider {
    /// Absent: the package was built without the trait `OpenCombine`, and the system has no Combine.
    @available(*, unavailable, message: "Enable the trait OpenCombine of this package to use CombineMoya here")
    public func requestPublisher(_ target: Target, callbackQueue: DispatchQueue? = nil) -> Never {
        preconditionFailure("CombineMoya needs the trait OpenCombine here")
    }

    /// Absent: the package was built without the trait `OpenCombine`, and the system has no Combine.
    @available(*, unavailable, message: "Enable the trait OpenCombine of this package to use CombineMoya here")
    public func requestWithProgressPublisher(_ target: Target, callbackQueue: DispatchQueue? = nil) -> Never {
        preconditionFailure("CombineMoya needs the trait OpenCombine here")
    }
}
#endif

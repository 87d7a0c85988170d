// SPDX-License-Identifier: MIT

#if !RxSwift
import Foundation
import Moya

extension MoyaProvider {
    /// Absent: the package was built without the trait `RxSwift`.
    @available(*, unavailable, message: "Enable the trait RxSwift of this package to use RxMoya")
    public var rx: Never {
        preconditionFailure("RxMoya needs the trait RxSwift")
    }
}
#endif

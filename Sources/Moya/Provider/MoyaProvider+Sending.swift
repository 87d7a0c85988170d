import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
extension ProviderCall { func send(_ request: URLRequest) {} }

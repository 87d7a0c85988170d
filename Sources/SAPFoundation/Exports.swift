// SPDX-License-Identifier: MIT

// So that a file that says only `import SAPFoundation` has the types that this module's interface mentions.
@_exported import Foundation

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

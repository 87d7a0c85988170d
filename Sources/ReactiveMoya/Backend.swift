// SPDX-License-Identifier: MIT

// `import ReactiveMoya` brings in the provider and the reactive names, whichever library they come from. The trait's name is the condition:
// `canImport` would also be true because another package in the graph uses ReactiveSwift.
@_exported import Moya

#if ReactiveSwift
@_exported @preconcurrency import ReactiveSwift
#else
@_exported import ReactiveSignals
#endif

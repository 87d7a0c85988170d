// SPDX-License-Identifier: MIT

// `import CombineMoya` brings in the provider as well.
@_exported import Moya

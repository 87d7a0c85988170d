// SPDX-License-Identifier: MIT

// `import RxMoya` brings in the provider as well.
@_exported import Moya

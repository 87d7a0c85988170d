// SPDX-License-Identifier: MIT

/// The same as ``Session/default``.
public let AF = Session.default

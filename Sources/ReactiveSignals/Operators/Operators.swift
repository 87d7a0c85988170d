// SPDX-License-Identifier: MIT

/// The operators on one stream, written once for signals and producers.
enum Operators {}

/// Takes the place of a value that cannot exist.
func absurd<T>(_ never: Never) -> T {}

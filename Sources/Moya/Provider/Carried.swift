// SPDX-License-Identifier: MIT

/// A value that is handed to another thread, which Swift 6 cannot see to be safe.
///
/// Targets, plugins and completions are not `Sendable`, so that callers may write them as they please. One request uses them one call after
/// the other, and whoever makes concurrent requests with a shared object must protect it, as ``PluginType`` says.
struct Carried<Value>: @unchecked Sendable {  // used by one thread at a time; see above
    let value: Value

    init(_ value: Value) { self.value = value }
}

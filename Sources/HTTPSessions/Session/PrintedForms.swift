// SPDX-License-Identifier: MIT

// Mirrors, and with them `dump`, would walk from a request, a session or a response into credentials, cookies and the engine's own state,
// which must not be read from any thread. So they show a few words about themselves and nothing else.

extension Request: CustomReflectable {
    /// Shows what ``description`` does, and the state.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description, "state": state], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension Session: CustomReflectable {
    /// Shows how many requests are under way.
    public var customMirror: Mirror {
        Mirror(self, children: ["activeRequests": activeCount], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension Exchange: CustomReflectable {
    /// Shows the request without its secrets.
    var customMirror: Mirror {
        Mirror(self, children: ["request": base.redactedDescription], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension DataResponse: CustomReflectable {
    /// Shows what ``debugDescription`` does.
    public var customMirror: Mirror { Mirror(self, children: ["description": debugDescription], displayStyle: .struct) }
}

extension DownloadResponse: CustomReflectable {
    /// Shows what ``debugDescription`` does.
    public var customMirror: Mirror { Mirror(self, children: ["description": debugDescription], displayStyle: .struct) }
}

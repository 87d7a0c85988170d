// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The name under which a response's content is saved, safe in any folder.
enum SuggestedFilename {
    /// What Content-Disposition says (RFC 6266), else the URL's last component, else `download`; never a path.
    static func of(_ response: HTTPURLResponse) -> String {
        // Foundation on Linux suggests "Unknown" where there is no Content-Disposition.
        let isNamed = response.value(forHTTPHeaderField: "Content-Disposition") != nil
        let candidates = [isNamed ? response.suggestedFilename : nil, response.url?.lastPathComponent]
        for case let name? in candidates {
            let bare = name.split(whereSeparator: { $0 == "/" || $0 == "\\" || $0 == "\0" }).last.map(String.init) ?? ""
            if !bare.isEmpty, bare != ".", bare != "..", bare != "Unknown" { return bare }
        }
        return "download"
    }
}

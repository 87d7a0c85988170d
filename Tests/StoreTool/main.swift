// SPDX-License-Identifier: MIT

// A program that shares a file of secrets with the tests that start it:
//     StoreTool hold PATH KEY                     has exclusive access to the key, says so, and keeps it until its input ends
//     StoreTool request PATH KEY URL COUNT NAME   sends so many requests with the token under the key, which it refreshes when refused
//     StoreTool sap PATH URL COUNT NAME           the same by a SAPURLSession with an OAuth2Observer
//     StoreTool keyring SERVICE                   goes through the desktop's keyring (with the trait SecretService); keyring-put and
//                                                 keyring-get keep a secret there and look for it
//     StoreTool tickets ERRAND                    sends requests with the Kerberos tickets that its environment names, and prints what came of them

import AuthenticationSuite
import Foundation
import HTTPAuthentication
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let arguments = CommandLine.arguments.dropFirst()
guard let mode = Mode(Array(arguments)) else {
    print("see the source for how to call this")
    exit(2)
}
do {
    try await mode.run()
} catch {
    print("failed: \(error)")
    exit(1)
}

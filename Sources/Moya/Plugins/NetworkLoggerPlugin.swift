// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Logs requests and responses. Secrets are left out unless ``Configuration/LogOptions-swift.struct/secrets`` asks for them.
public final class NetworkLoggerPlugin: PluginType {
    private let storage: Locked<Configuration>

    /// What is logged and how; a change takes effect with the next event.
    public var configuration: Configuration {
        get { storage.withLock { $0 } }
        set {
            var replaced = newValue
            // Its closures are let go of where no lock is held.
            storage.withLock { swap(&$0, &replaced) }
        }
    }

    /// A logger of this configuration.
    public init(configuration: Configuration = Configuration()) {
        storage = Locked(configuration)
    }

    /// A new logger of methods and request headers.
    public class var `default`: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .default))
    }

    /// A new logger of everything but `curl` commands and secrets.
    public class var verbose: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .verbose))
    }

    /// Logs the request: its URL and what the options ask for, or its `curl` command alone, once it is known.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let configuration = configuration
        guard configuration.logOptions.contains(.formatRequestAscURL) else {
            return configuration.output(target, NetworkLogEntries(configuration, target).entries(of: request))
        }
        // The plugin itself is not captured: it may be gone before the command is known.
        let event = Carried((configuration, target))
        let log: @Sendable (String) -> Void = { command in
            let (configuration, target) = event.value
            configuration.output(target, [configuration.formatter.entry("Request", command, target)])
        }
        if configuration.logOptions.contains(.secrets), let request = request as? any UnredactedRequestDescribing {
            request.unredactedCURLDescription(calling: log)
        } else {
            _ = request.cURLDescription(calling: log)
        }
    }

    /// Logs the response, or the error.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        let configuration = configuration
        configuration.output(target, NetworkLogEntries(configuration, target).entries(of: result))
    }
}

/// A request that can print what ``RequestType/cURLDescription(calling:)`` redacts.
protocol UnredactedRequestDescribing {
    func unredactedCURLDescription(calling handler: @escaping @Sendable (String) -> Void)
}

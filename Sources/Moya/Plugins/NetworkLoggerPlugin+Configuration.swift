// SPDX-License-Identifier: MIT

import Foundation

extension NetworkLoggerPlugin {
    /// What is logged, how it is put into words, and where it goes.
    public struct Configuration {
        /// Takes the entries of one event.
        public typealias OutputType = (_ target: any TargetType, _ items: [String]) -> Void

        /// Puts entries into words.
        public var formatter: Formatter

        /// Takes the entries of each event, from the threads that ``PluginType`` names.
        public var output: OutputType

        /// What is logged.
        public var logOptions: LogOptions

        /// A configuration of these parts.
        public init(
            formatter: Formatter = Formatter(), output: @escaping OutputType = defaultOutput, logOptions: LogOptions = .default
        ) {
            self.formatter = formatter
            self.output = output
            self.logOptions = logOptions
        }

        /// Prints each entry on a line.
        public static func defaultOutput(target: any TargetType, items: [String]) {
            for item in items { print(item) }
        }
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// What a logger logs.
    public struct LogOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// The options of these bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The method of a request.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// The content of a request. Values in forms and JSON whose names say that they are secrets are left out; other content is shown.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// The fields of a request and of its session.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// A request as a `curl` command and as nothing else.
        public static let formatRequestAscURL = LogOptions(rawValue: 1 << 3)
        /// The content of a response that is a success, redacted as in ``requestBody``.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// The content of a response that is an error, redacted as in ``requestBody``.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)
        /// Secrets, which are redacted otherwise: passwords, cookies, tokens and keys in fields, URLs, content and `curl` commands.
        public static let secrets = LogOptions(rawValue: 1 << 6)

        /// Method and fields of requests.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// Method, fields and content of requests, and the content of responses.
        public static let verbose: LogOptions = [.requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody]
    }

    /// Puts what is logged into words.
    public struct Formatter {
        /// Puts content into words.
        public typealias DataFormatterType = (Data) -> (String)
        /// Puts an entry into words.
        public typealias EntryFormatterType = (_ identifier: String, _ message: String, _ target: any TargetType) -> String

        /// Puts an entry into words.
        public var entry: EntryFormatterType
        /// Puts a request's content into words.
        public var requestData: DataFormatterType
        /// Puts a response's content into words.
        public var responseData: DataFormatterType

        /// A formatter of these parts.
        public init(
            entry: @escaping EntryFormatterType = defaultEntryFormatter,
            requestData: @escaping DataFormatterType = defaultDataFormatter,
            responseData: @escaping DataFormatterType = defaultDataFormatter
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// The content as text, or a fixed text if it is not UTF-8.
        public static func defaultDataFormatter(_ data: Data) -> String {
            String(data: data, encoding: .utf8) ?? "(content that is not UTF-8)"
        }

        /// `Moya_Logger: [<date>] <identifier>: <message>`, the date as the current locale writes short dates and times.
        public static func defaultEntryFormatter(identifier: String, message: String, target: any TargetType) -> String {
            let date = DateFormatter.localizedString(from: Date(), dateStyle: .short, timeStyle: .short)
            return "Moya_Logger: [\(date)] \(identifier): \(message)"
        }
    }
}

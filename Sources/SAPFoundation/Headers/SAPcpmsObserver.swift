// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tells the server which application, and if that is known on which device, sends the request. Register it before authentication
/// observers.
public class SAPcpmsObserver: SAPURLSessionObserving {
    /// Sent as `X-SMP-APPID`.
    public let applicationID: String
    /// Sent as `X-SMP-DEVICEID`, if there is one. There is no default, so that no device is told apart unasked.
    public let deviceID: String?
    /// Sent in the field `applicationVersionHeaderName`, if there are both.
    public let applicationVersion: String?
    /// Which field carries the version. Default: `nil`, it is not sent. Set it before the observer is registered.
    public var applicationVersionHeaderName: String?

    /// An observer for one application.
    public init(applicationID: String, deviceID: String? = nil, applicationVersion: String? = nil) {
        self.applicationID = applicationID
        self.deviceID = deviceID
        self.applicationVersion = applicationVersion
    }

    /// Adds the fields.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        var request = request
        request.setValue(applicationID, forHTTPHeaderField: "X-SMP-APPID")
        if let deviceID { request.setValue(deviceID, forHTTPHeaderField: "X-SMP-DEVICEID") }
        if let applicationVersion, let applicationVersionHeaderName {
            request.setValue(applicationVersion, forHTTPHeaderField: applicationVersionHeaderName)
        }
        completionHandler(.use(request))
    }

    /// Another one for the same application.
    public func copy() -> Any? {
        let copy = SAPcpmsObserver(applicationID: applicationID, deviceID: deviceID, applicationVersion: applicationVersion)
        copy.applicationVersionHeaderName = applicationVersionHeaderName
        return copy
    }
}

// SPDX-License-Identifier: MIT

#if canImport(UIKit)
import UIKit

/// The platform's image.
public typealias ImageType = UIImage
#elseif canImport(AppKit)
import AppKit

/// The platform's image.
public typealias ImageType = NSImage
#else
/// The platform's image; this platform has none, so an image that is still encoded stands in for it.
public typealias ImageType = EncodedImage
#endif

/// What ``Response/mapImage()`` gives. Write `Moya.Image` where SwiftUI's is in scope as well.
public typealias Image = ImageType

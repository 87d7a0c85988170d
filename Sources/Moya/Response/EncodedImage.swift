// SPDX-License-Identifier: MIT

#if !canImport(UIKit) && !canImport(AppKit)
import Foundation

/// An image that is known by its header and not decoded: PNG, JPEG, GIF, WebP, BMP or TIFF.
public final class EncodedImage: Sendable {
    /// The image as it was received.
    public let data: Data

    /// Width and height in pixels, as the header states them.
    public let size: CGSize

    /// Nil unless the data begins like an image of one of the known formats and its header states a size.
    public init?(data: Data) {
        guard let dimensions = ImageHeader.dimensions(of: data) else { return nil }
        self.data = data
        size = CGSize(width: dimensions.width, height: dimensions.height)
    }
}
#endif

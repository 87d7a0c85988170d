// SPDX-License-Identifier: MIT

import HTTPTesting
import Moya
import Testing

#if !canImport(UIKit) && !canImport(AppKit)
@Suite struct ImageTests {
    private static let png =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 2, 0, 0, 0, 3] as [UInt8]
    private static let gif = Array("GIF89a".utf8) + [0x02, 0x01, 0x03, 0x00]
    private static let jpeg =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC2, 0, 17, 8, 0, 3, 1, 2, 3] as [UInt8]
    private static let bmp =
        Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0, 0x02, 0x01, 0, 0, 0xFD, 0xFF, 0xFF, 0xFF] as [UInt8]
    private static let oldBMP = Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [12, 0, 0, 0, 0x02, 0x01, 3, 0] as [UInt8]
    private static let lossyWebP =
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 0x02, 0x41, 0x03, 0x80]
        as [UInt8]
    private static let losslessWebP =
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8L".utf8) + [0, 0, 0, 0, 0x2F, 0x01, 0x81, 0x00, 0x00] as [UInt8]
    private static let extendedWebP =
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x01, 0, 2, 0, 0] as [UInt8]
    private static let tiff =
        [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 2, 1, 0, 0, 3, 0, 0, 0, 1, 1, 2, 0, 0, 1, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 3] as [UInt8]
    private static let littleTIFF =
        [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 2, 1, 0, 0, 1, 1, 4, 0, 1, 0, 0, 0, 3, 0, 0, 0] as [UInt8]
    private static let all = [png, gif, jpeg, bmp, oldBMP, lossyWebP, losslessWebP, extendedWebP, tiff, littleTIFF]

    @Test(arguments: all)
    func `an image has the size that its header states`(bytes: [UInt8]) throws {
        let image = try Response(statusCode: 200, data: Data(bytes)).mapImage()

        #expect(image.size == CGSize(width: 258, height: 3))
        #expect(image.data == Data(bytes))
    }

    @Test(arguments: all)
    func `a header that is cut short is no image`(bytes: [UInt8]) {
        for length in 0..<bytes.count - 4 {
            let error = #expect(throws: MoyaError.self) { try Response(statusCode: 200, data: Data(bytes.prefix(length))).mapImage() }

            #expect(error?.code == .imageMapping)
        }
    }

    @Test(arguments: ["", "no image", "<svg/>"])
    func `what is no image is refused with its response`(text: String) {
        let response = Response(statusCode: 200, data: Data(text.utf8))

        let error = #expect(throws: MoyaError.self) { try response.mapImage() }

        #expect(error?.response === response)
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 3))
    func `damaged headers are refused or read, and never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for bytes in Self.all {
            for _ in 0..<200 {
                var damaged = bytes
                for _ in 0..<3 { damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
                if let image = Image(data: Data(damaged)) { #expect(image.size.width > 0 && image.size.height > 0) }
            }
        }
    }
}
#endif

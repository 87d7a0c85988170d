// SPDX-License-Identifier: MIT

import Foundation

extension MultipartFormData {
    /// The whole form in memory; empty for a form without parts.
    /// - Throws: ``AFError/multipartEncodingFailed(reason:)``: the first error of the `append` calls, or one of reading a file or stream.
    public func encode() throws -> Data {
        let form = try segments()
        var encoded = Data()
        encoded.reserveCapacity(Int(clamping: Swift.min(form.length, Int64(Self.encodingMemoryThreshold))))
        for segment in form.segments {
            try segment.read { encoded.append($0) }
        }
        return encoded
    }

    /// Writes the whole form to a file that must not exist yet. Blocks; holds no more than a chunk of it in memory.
    /// - Throws: ``AFError/multipartEncodingFailed(reason:)``. A file that could not be completed is removed.
    public func writeEncodedData(to fileURL: URL) throws {
        let form = try segments()
        guard fileURL.isFileURL else { throw AFError.multipartEncodingFailed(reason: .outputStreamURLInvalid(url: fileURL)) }

        // Made only if it is not there, in one step: between a look and a write somebody else could have made it.
        let descriptor = open(fileURL.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw AFError.multipartEncodingFailed(
                reason: errno == EEXIST ? .outputStreamFileAlreadyExists(at: fileURL) : .outputStreamCreationFailed(for: fileURL))
        }
        let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            for segment in form.segments {
                try segment.read { bytes in
                    do {
                        try output.write(contentsOf: bytes)
                    } catch {
                        throw AFError.multipartEncodingFailed(reason: .outputStreamWriteFailed(error: error))
                    }
                }
            }
            do {
                try output.close()
            } catch {
                throw AFError.multipartEncodingFailed(reason: .outputStreamWriteFailed(error: error))
            }
        } catch {
            try? fileManager.removeItem(at: fileURL)
            throw error
        }
    }
}

extension MultipartSegments.Segment {
    private static let chunkSize = 256 * 1024

    /// Hands over the segment's bytes in chunks.
    /// - Throws: ``AFError/multipartEncodingFailed(reason:)`` for a failed read or another length than declared, and what `body` throws.
    func read(_ body: (Data) throws -> Void) throws {
        switch self {
        case .data(let data): try body(data)
        case .file(let url, let length):
            let file: FileHandle
            do {
                file = try FileHandle(forReadingFrom: url)
            } catch {
                throw AFError.multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: url))
            }
            defer { try? file.close() }
            try Self.copy(length: length, to: body) { try file.read(upToCount: Self.chunkSize) ?? Data() }
        case .stream(let stream, let length):
            stream.open()
            defer { stream.close() }
            var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
            try Self.copy(length: length, to: body) {
                let count = stream.read(&buffer, maxLength: buffer.count)
                // Asking Linux's stream for its error traps.
                guard count >= 0 else { throw StreamReadFailed() }
                return Data(buffer.prefix(count))
            }
        }
    }

    /// Reads to the end, and one chunk past the declared length at most.
    private static func copy(length: UInt64, to body: (Data) throws -> Void, from next: () throws -> Data) throws {
        var bytesRead: UInt64 = 0
        while true {
            let chunk: Data
            do {
                chunk = try next()
            } catch {
                throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
            }
            bytesRead += UInt64(chunk.count)
            guard chunk.isEmpty ? bytesRead == length : bytesRead <= length else {
                throw AFError.multipartEncodingFailed(
                    reason: .inputStreamReadFailed(error: AFError.UnexpectedInputStreamLength(bytesExpected: length, bytesRead: bytesRead)))
            }
            guard !chunk.isEmpty else { return }
            try body(chunk)
        }
    }
}

/// A stream answered a read with failure, and does not say why.
private struct StreamReadFailed: LocalizedError {
    var errorDescription: String? { "The stream could not be read. It may be closed, or what it reads from does not exist." }
}

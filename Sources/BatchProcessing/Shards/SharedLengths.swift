import Glibc

/// Lengths of a manifest's files that the manifest does not have: measured by the first worker and kept beside the
/// results, so that every worker deals out the same rows, whatever has become of the files.
package struct SharedLengths: Sendable {
  private static let header = Array("audiopipe lengths 1\n".utf8)

  private let path: String
  private let count: Int

  /// Creates the lengths of a manifest in a folder of outputs.
  package init(folder: String, manifest: Manifest) {
    path = "\(folder)/lengths-\(manifest.fingerprint.text)"
    count = manifest.count
  }

  /// Returns the lengths in milliseconds, one for each row; nil if there is no such file.
  package func read() -> [UInt32]? {
    let expected = Self.header.count + 4 * count
    guard let bytes = FileBytes.whole(path, count: expected), bytes.starts(with: Self.header) else { return nil }
    return (0..<count).map { row in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[Self.header.count + 4 * row + $1]) << UInt32(8 * $1) }
    }
  }

  /// Keeps the lengths, unless another worker was first.
  ///
  /// - Returns: the lengths that all workers use.
  /// - Throws: `cannotCreate` or `inputOutput` if the file cannot be written.
  package func keep(_ lengths: [UInt32]) throws(BatchError) -> [UInt32] {
    var name = Array("\(path)-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw failure(errno, .cannotCreate) }
    defer {
      close(descriptor)
      unlink(name)
    }
    fchmod(descriptor, 0o644)
    var bytes = Self.header
    bytes.reserveCapacity(bytes.count + 4 * lengths.count)
    for length in lengths { for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) } }
    let code = bytes.withUnsafeBytes { FileBytes.write($0, to: descriptor, at: 0).failure }
    guard code == 0 else { throw failure(code, .inputOutput) }
    // A link does not replace the file of another worker.
    if link(name, path) != 0, errno != EEXIST, rename(name, path) != 0 { throw failure(errno, .cannotCreate) }
    return read() ?? lengths
  }

  private func failure(_ code: Int32, _ kind: BatchError.Kind) -> BatchError {
    BatchError(
      BatchError.isFull(code) ? .inputOutput : kind,
      "\(path): the lengths of the files cannot be written (\(BatchError.text(code))); choose another --out-dir")
  }
}

import Glibc
import Platform

/// A list of sound files, of which each worker takes a shard. Memory: 12 bytes a row, whatever the row's length.
///
/// Its forms are a path a line, a table with a header, and JSON lines. Every line is checked when the manifest is read.
///
/// ```swift
/// let manifest = try Manifest(path: "calls.jsonl")
/// for row in try manifest.rows(of: Shard("2/4")) {
///   print(row.index, manifest.path(of: row), row.gain ?? 0)
/// }
/// ```
///
/// Thread: any.
public final class Manifest: Sendable {
  /// Duration in `durations` of a row without one.
  package static let unknown = UInt32.max

  /// Name in messages: the path, or `stdin`.
  public let name: String
  let format: ManifestFormat
  /// Folder of relative paths with its slash; empty for the current folder.
  let folder: String
  /// Length of each row in milliseconds, `unknown` without one.
  package let durations: [UInt32]
  /// Number of the whole content.
  package let fingerprint: Fingerprint
  /// Beginning that all paths have in common, up to a slash.
  package let commonFolder: String
  /// Whether a row has a copy of its own level.
  package let hasLevels: Bool

  /// Position of each row in the file.
  private let offsets: [UInt64]
  private let scanner: LineScanner

  /// Reads a manifest. A file stays open, and is read again for its rows; a pipe is copied to TMPDIR, or else to /tmp.
  ///
  /// - Parameters:
  ///   - path: Path of the file; `-` is stdin.
  ///   - isCancelled: Called when a signal ends the wait for a pipe; true gives up.
  /// - Throws: `noInput` for a file that cannot be opened, `badData` for a line that is not a row. `inputOutput` if
  ///   reading fails, `cancelled` after `isCancelled`.
  public init(path: String, isCancelled: () -> Bool = { false }) throws(BatchError) {
    name = path == "-" ? "stdin" : path
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    scanner = LineScanner(descriptor: try Self.open(path, isCancelled), name: name)
    do throws(BatchError) {
      let index = try Self.index(scanner, path: path)
      guard let format = index.format, !index.offsets.isEmpty else {
        throw BatchError(.badData, "\(name): the manifest has no rows; write one path or one JSON object a line")
      }
      self.format = format
      offsets = index.offsets
      durations = index.durations
      fingerprint = index.fingerprint
      hasLevels = index.hasLevels
      commonFolder = String(decoding: index.commonFolder ?? [], as: UTF8.self)
    } catch {
      close(scanner.descriptor)
      throw error
    }
  }

  deinit { close(scanner.descriptor) }

  /// Number of rows.
  public var count: Int { offsets.count }

  /// Returns the row at a position, which is read from the file.
  ///
  /// - Parameter position: Position of the row, `0..<count`; one less than its index.
  /// - Throws: `badData` if the manifest was changed since it was read, `inputOutput` if reading fails.
  public func row(_ position: Int) throws(BatchError) -> ManifestRow {
    let bytes = try scanner.line(at: Int(offsets[position]))
    return try row(bytes, position)
  }

  private func row(_ bytes: [UInt8], _ position: Int) throws(BatchError) -> ManifestRow {
    let parser = ManifestParser(format: format, name: name)
    let count = bytes.last == 0x0D ? bytes.count - 1 : bytes.count
    // Copied, so that the closure needs no typed error.
    let result = bytes.withUnsafeBytes { bytes -> Result<ManifestRow, BatchError> in
      do throws(BatchError) {
        return .success(
          try parser.row(UnsafeRawBufferPointer(rebasing: bytes[..<count]), line: position + 1, index: position + 1))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func index(_ scanner: LineScanner, path: String) throws(BatchError) -> ManifestIndex {
    var index = ManifestIndex(path: path, name: scanner.name)
    try scanner.scan { line throws(BatchError) in
      try index.add(line)
      return true
    }
    return index
  }

  /// Calls `body` with every row and its position, in order.
  ///
  /// - Throws: errors of `body`.
  package func forEach(_ body: (Int, ManifestRow) throws(BatchError) -> Void) throws(BatchError) {
    let parser = ManifestParser(format: format, name: name)
    var position = 0
    try scanner.scan(from: Int(offsets[0])) { line throws(BatchError) in
      let (bytes, _) = ManifestIndex.trimmed(line, isFirst: false)
      guard !ManifestIndex.isBlank(bytes), position < offsets.count else { return true }
      try body(position, try parser.row(bytes, line: position + 1, index: position + 1))
      position += 1
      return true
    }
  }

  /// Returns the path to open for a row: a relative path begins at the manifest's folder.
  ///
  /// - Parameter row: Row of this manifest.
  public func path(of row: ManifestRow) -> String { row.path.hasPrefix("/") ? row.path : folder + row.path }

  /// Opens a file, or copies a pipe into one without a name.
  private static func open(_ path: String, _ isCancelled: () -> Bool) throws(BatchError) -> Int32 {
    let descriptor = path == "-" ? dup(0) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    let name = path == "-" ? "stdin" : path
    guard descriptor >= 0 else {
      if errno == ENOENT, name.contains(where: { $0 == "*" || $0 == "?" }) {
        throw BatchError(
          .noInput, "\(name): a pattern is not a manifest; list its files, such as by ls \(name) > list.txt")
      }
      throw BatchError(.noInput, "\(name): cannot read the manifest (\(BatchError.text(errno))); check the name")
    }
    var status = stat()
    fstat(descriptor, &status)
    switch status.st_mode & S_IFMT {
    case S_IFREG: return descriptor
    case S_IFDIR:
      close(descriptor)
      throw BatchError(
        .noInput, "\(name): this is a folder; list its files, such as by find \(name) -name '*.wav' > list.txt")
    default:
      defer { close(descriptor) }
      return try spool(descriptor, name: name, isCancelled)
    }
  }

  private static func spool(
    _ descriptor: Int32, name: String, _ isCancelled: () -> Bool
  ) throws(BatchError) -> Int32 {
    let folder = UnnamedFile.folder
    let copy = UnnamedFile.make(in: folder)
    guard copy >= 0 else {
      throw BatchError(.inputOutput, "\(name): cannot be kept in \(folder) (\(BatchError.text(errno))); set TMPDIR")
    }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var end = 0
    while true {
      let count = read(descriptor, &block, block.count)
      if count == 0 { return copy }
      var failure: Int32 = 0
      if count < 0 {
        failure = errno
        if failure == EINTR, !isCancelled() { failure = 0 }
      } else {
        failure = block.withUnsafeBytes {
          FileBytes.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: copy, at: end).failure
        }
        end += count
      }
      guard failure == 0 else {
        close(copy)
        throw BatchError(
          isCancelled() ? .cancelled : .inputOutput,
          "\(name): copying to \(folder) failed (\(BatchError.text(failure)))")
      }
    }
  }
}

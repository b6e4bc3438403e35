package import CommandLineKit
import Glibc
import Platform

/// A list of sound files. Memory: 12 bytes a row, whatever the row's length.
///
/// Thread: any.
package final class Manifest: Sendable {
  /// Duration in `durations` of a row without one.
  package static let unknown = UInt32.max

  /// Name in messages.
  package let name: String
  package let format: ManifestFormat
  /// Folder of relative paths with its slash; empty for the current folder.
  package let folder: String
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

  /// Reads a manifest; `-` is stdin.
  ///
  /// - Throws: exit code 66 if the file cannot be read, 65 for a line that is not a row.
  package init(path: String) throws(CommandFailure) {
    name = path == "-" ? "stdin" : path
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    scanner = LineScanner(descriptor: try Self.open(path), name: name)
    do throws(CommandFailure) {
      let index = try Self.index(scanner, path: path)
      guard let format = index.format, !index.offsets.isEmpty else {
        throw CommandFailure(.badData, "\(name): the manifest has no rows; write one path or one JSON object a line")
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
  package var count: Int { offsets.count }

  /// Returns the row at a position, from 0.
  ///
  /// - Throws: exit code 65 if the manifest was changed under its reader.
  package func row(_ position: Int) throws(CommandFailure) -> ManifestRow {
    let bytes = try scanner.line(at: Int(offsets[position]))
    return try row(bytes, position)
  }

  private func row(_ bytes: [UInt8], _ position: Int) throws(CommandFailure) -> ManifestRow {
    let parser = ManifestParser(format: format, name: name)
    let count = bytes.last == 0x0D ? bytes.count - 1 : bytes.count
    // Copied, so that the closure needs no typed error.
    let result = bytes.withUnsafeBytes { bytes -> Result<ManifestRow, CommandFailure> in
      do throws(CommandFailure) {
        return .success(
          try parser.row(UnsafeRawBufferPointer(rebasing: bytes[..<count]), line: position + 1, index: position + 1))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func index(_ scanner: LineScanner, path: String) throws(CommandFailure) -> ManifestIndex {
    var index = ManifestIndex(path: path, name: scanner.name)
    try scanner.scan { line throws(CommandFailure) in
      try index.add(line)
      return true
    }
    return index
  }

  /// Calls `body` with every row and its position, in order.
  ///
  /// - Throws: errors of `body`.
  package func forEach(_ body: (Int, ManifestRow) throws(CommandFailure) -> Void) throws(CommandFailure) {
    let parser = ManifestParser(format: format, name: name)
    var position = 0
    try scanner.scan(from: Int(offsets[0])) { line throws(CommandFailure) in
      let (bytes, _) = ManifestIndex.trimmed(line, isFirst: false)
      guard !ManifestIndex.isBlank(bytes), position < offsets.count else { return true }
      try body(position, try parser.row(bytes, line: position + 1, index: position + 1))
      position += 1
      return true
    }
  }

  /// Returns the path to open for a row.
  package func resolved(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }

  /// Opens a file, or copies a pipe into one without a name.
  private static func open(_ path: String) throws(CommandFailure) -> Int32 {
    let descriptor = path == "-" ? dup(0) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    let name = path == "-" ? "stdin" : path
    guard descriptor >= 0 else {
      throw CommandFailure(.noInput, "\(name): cannot read the manifest (\(systemErrorText(errno))); check the name")
    }
    var status = stat()
    fstat(descriptor, &status)
    switch status.st_mode & S_IFMT {
    case S_IFREG: return descriptor
    case S_IFDIR:
      close(descriptor)
      throw CommandFailure(
        .noInput, "\(name): this is a folder; list its files, such as by find \(name) -name '*.wav' > list.txt")
    default:
      defer { close(descriptor) }
      return try spool(descriptor, name: name)
    }
  }

  private static func spool(_ descriptor: Int32, name: String) throws(CommandFailure) -> Int32 {
    let folder = UnnamedFile.folder
    let copy = UnnamedFile.make(in: folder)
    guard copy >= 0 else {
      throw CommandFailure(.inputOutput, "\(name): cannot be kept in \(folder) (\(systemErrorText(errno))); set TMPDIR")
    }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &block, block.count)
      if count == 0 { return copy }
      var failure: Int32 = 0
      if count < 0 {
        failure = errno == EINTR && InterruptHandler.pending == nil ? 0 : errno
      } else {
        failure = block.withUnsafeBytes { writeAll(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: copy) }
      }
      guard failure == 0 else {
        close(copy)
        throw CommandFailure(
          InterruptHandler.pending ?? .inputOutput, "\(name): copying to \(folder) failed (\(systemErrorText(failure)))"
        )
      }
    }
  }
}

import Glibc

/// Positions and lengths of a manifest's rows, from one pass over its lines.
struct ManifestIndex {
  private(set) var format: ManifestFormat?
  /// Position of each row in the file.
  private(set) var offsets: [UInt64] = []
  /// Length of each row in milliseconds, `Manifest.unknown` without one.
  private(set) var durations: [UInt32] = []
  /// Number of the whole content.
  private(set) var fingerprint = Fingerprint()
  /// Beginning that all paths have in common, up to a slash; nil before the first.
  private(set) var commonFolder: [UInt8]?

  /// Whether a row has a copy of its own level.
  private(set) var hasLevels = false

  /// Path of the manifest, and its name in messages.
  private let path: String
  private let name: String
  private var lineCount = 0

  init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// Adds the next line.
  ///
  /// - Throws: `badData` if it is not a row.
  mutating func add(_ line: LineScanner.Line) throws(BatchError) {
    lineCount += 1
    fingerprint.add(line.bytes)
    fingerprint.add(0x0A)
    let (bytes, skipped) = Self.trimmed(line, isFirst: lineCount == 1)
    guard !Self.isBlank(bytes) else { return }
    if format == nil {
      try checkEncoding(bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      if text == "[" || ["[{", "[]"].contains(where: text.hasPrefix) {
        throw BatchError(
          .badData, "\(name): this is one JSON array; a manifest has an object in each line, as jq -c '.[]' writes it")
      }
      let found = ManifestFormat.of(text, name: path)
      format = found
      if case .csv(let columns, _) = found { return try check(columns) }
    }
    guard let format else { return }
    if format == .list, offsets.isEmpty { try checkColumns(String(decoding: bytes, as: UTF8.self)) }
    guard offsets.count < Int(Int32.max) else { throw BatchError(.badData, "\(name): there are too many rows") }
    let row = try ManifestParser(format: format, name: name).row(bytes, line: lineCount, index: offsets.count + 1)
    offsets.append(UInt64(line.offset + skipped))
    durations.append(Self.milliseconds(row.duration))
    if row.changesLevel { hasLevels = true }
    if commonFolder == nil { commonFolder = Self.folder(of: row.path) } else { shorten(to: row.path) }
  }

  /// Returns a line without the mark before UTF-8 and the carriage return at its end, and the bytes of that mark.
  static func trimmed(_ line: LineScanner.Line, isFirst: Bool) -> (UnsafeRawBufferPointer, Int) {
    var bytes = line.bytes[...]
    var skipped = 0
    if isFirst, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = bytes.dropFirst(3)
      skipped = 3
    }
    if bytes.last == 0x0D { bytes = bytes.dropLast() }
    return (UnsafeRawBufferPointer(rebasing: bytes), skipped)
  }

  static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  private static func milliseconds(_ seconds: Double?) -> UInt32 {
    guard let seconds else { return Manifest.unknown }
    return UInt32(min((seconds * 1_000).rounded(), Double(UInt32.max - 1)))
  }

  /// Whether a file that begins with these bytes is a sound: WAV, W64, FLAC, Ogg, MP3, MP4, AIFF, AU or CAF.
  private static func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let marks = ["RIFF", "RF64", "riff", "fLaC", "OggS", "ID3", "FORM", ".snd", "caff"]
    let isMP3 = bytes.count > 1 && bytes[0] == 0xFF && [0xFA, 0xFB, 0xF2, 0xF3].contains(bytes[1])
    return isMP3 || bytes.dropFirst(4).starts(with: "ftyp".utf8) || marks.contains { bytes.starts(with: $0.utf8) }
  }

  /// Refuses sounds, and texts of other systems, by name: as a path, such a line would only be a missing file.
  private func checkEncoding(_ bytes: UnsafeRawBufferPointer) throws(BatchError) {
    if Self.isSound(bytes) {
      throw BatchError(
        .badData, "\(name): this is a sound, not a list; write its path into a list",
        inCommand: "\(name): this is a sound, not a list; give it to 'audiopipe process'")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(4).contains(0) {
      throw BatchError(
        .badData, "\(name): this is UTF-16, or no text; convert it with iconv -f UTF-16 -t UTF-8 \(name)")
    }
    if bytes.contains(0x0D) {
      throw BatchError(
        .badData, "\(name): the lines end with a carriage return alone; convert it with tr '\\r' '\\n' < \(name)")
    }
  }

  /// Refuses a table of Kaldi by name: a file has the name of its first line without the first word.
  private func checkColumns(_ line: String) throws(BatchError) {
    guard let space = line.firstIndex(of: " "), !isFile(line) else { return }
    guard path.hasSuffix(".scp") || isFile(String(line[line.index(after: space)...].drop { $0 == " " })) else { return }
    throw BatchError(
      .badData,
      "\(name): this is a table of Kaldi, a name and a path a line; write the paths alone: cut -d' ' -f2- \(name)")
  }

  private func isFile(_ line: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return access(line.hasPrefix("/") ? line : folder + line, F_OK) == 0
  }

  private func check(_ columns: [ManifestKey?]) throws(BatchError) {
    let paths = columns.count { $0 == .path || $0 == .audioPath }
    guard paths == 1 else {
      throw BatchError(
        .badData,
        "\(name), line \(lineCount): the header has \(paths == 0 ? "no column" : "two columns") for the path; "
          + "name one of them 'path'")
    }
    for key in ManifestKey.allCases where columns.count(where: { $0 == key }) > 1 {
      throw BatchError(.badData, "\(name), line \(lineCount): the header has the column '\(key.rawValue)' twice")
    }
  }

  private static func folder(of path: String) -> [UInt8] {
    let bytes = Array(path.utf8)
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { Array(bytes[...$0]) } ?? []
  }

  private mutating func shorten(to path: String) {
    guard let known = commonFolder, !known.isEmpty, !path.utf8.starts(with: known) else { return }
    var end = 0
    for (index, (one, other)) in zip(known, path.utf8).enumerated() {
      guard one == other else { break }
      if one == UInt8(ascii: "/") { end = index + 1 }
    }
    commonFolder = Array(known[..<end])
  }
}

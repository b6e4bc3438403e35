import JSON

/// Reads one line of a manifest as a row.
struct ManifestParser: Sendable {
  /// Longest duration and latest start, in seconds.
  private static let longest = 1e7
  /// Gains in dB that are allowed.
  private static let gainRange = -120.0...60.0
  /// Loudness in LUFS that is allowed.
  private static let loudnessRange = -70.0 ... -5.0

  let format: ManifestFormat
  /// Name of the manifest in messages.
  let name: String

  /// Returns the row of a line without its end.
  ///
  /// - Parameters:
  ///   - bytes: bytes of the line.
  ///   - line: number of the line, from 1.
  ///   - index: number of the row, from 1.
  /// - Throws: `badData` with the line's number.
  func row(_ bytes: UnsafeRawBufferPointer, line: Int, index: Int) throws(BatchError) -> ManifestRow {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure(line, "this is not UTF-8") }
    var row = ManifestRow(index: index, path: "")
    switch format {
    case .list: row.path = text
    case .csv(let columns, let separator):
      guard let cells = CSVLine.cells(text, separator: separator) else { throw failure(line, "a quote has no end") }
      guard cells.count == columns.count else {
        throw failure(line, "the row has \(cells.count) cells, and the header \(columns.count)")
      }
      for (key, cell) in zip(columns, cells) {
        let isText = key.map { [.path, .audioPath, .output].contains($0) } == true
        guard let key, !(isText ? cell : CSVLine.trimmed(cell)).isEmpty else { continue }
        guard let value = isText ? .text(cell) : Self.number(CSVLine.trimmed(cell)).map(JSONValue.number) else {
          throw failure(line, "'\(key.rawValue)' is '\(cell)', and should be a number")
        }
        try set(key, value, of: &row, line: line)
      }
    case .jsonLines:
      let value: JSONValue
      do {
        value = try JSONReader.read(text)
      } catch {
        throw failure(line, Self.oneLine(error.message))
      }
      guard case .object(let fields) = value else {
        throw failure(line, "this is \(value.kind), and should be an object")
      }
      for field in fields {
        guard let key = ManifestKey(rawValue: field.key) else { continue }
        try set(key, field.value, of: &row, line: line)
      }
    }
    guard !row.path.isEmpty else { throw failure(line, "the row has no path; it needs 'path' or 'audio_filepath'") }
    guard !row.path.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      throw failure(line, "the path has a line break or a zero in it; rename the file")
    }
    return row
  }

  private func set(
    _ key: ManifestKey, _ value: JSONValue, of row: inout ManifestRow, line: Int
  ) throws(BatchError) {
    if case .null = value { return }
    switch key {
    case .path, .audioPath:
      guard row.path.isEmpty else { throw failure(line, "the row has two paths; keep one of them") }
      row.path = try text(key, value, line)
    case .output: row.output = try text(key, value, line)
    case .duration: row.duration = try number(key, value, 0...Self.longest, line)
    case .start, .offset:
      guard row.start == nil else { throw failure(line, "the row has 'start' and 'offset'; keep one of them") }
      row.start = try number(key, value, 0...Self.longest, line)
    case .loudnessTarget: row.loudnessTarget = try number(key, value, Self.loudnessRange, line)
    case .gain: row.gain = try number(key, value, Self.gainRange, line)
    }
  }

  private func text(_ key: ManifestKey, _ value: JSONValue, _ line: Int) throws(BatchError) -> String {
    guard case .text(let text) = value else {
      throw failure(line, "'\(key.rawValue)' is \(value.kind), and should be a text")
    }
    return text
  }

  private func number(
    _ key: ManifestKey, _ value: JSONValue, _ range: ClosedRange<Double>, _ line: Int
  ) throws(BatchError) -> Double {
    guard case .number(let number) = value, range.contains(number) else {
      throw failure(
        line,
        "'\(key.rawValue)' is \(value.kind), and should be a number from \(Int(range.lowerBound)) to "
          + "\(Int(range.upperBound))")
    }
    return number
  }

  private static func number(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text)
  }

  /// Returns a reader's message without its line: a row has one line.
  private static func oneLine(_ message: String) -> String {
    message.hasSuffix(" in line 1") ? String(message.dropLast(10)) : message
  }

  private func failure(_ line: Int, _ sentence: String) -> BatchError {
    BatchError(.badData, "\(name), line \(line): \(sentence)")
  }
}

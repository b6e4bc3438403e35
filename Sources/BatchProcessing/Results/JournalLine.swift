/// A row within a journal: its position in the manifest, its outcome, the stamp of its input, and its JSON.
struct JournalLine {
  private static let longestPrefix = 96

  /// Position of the row in the manifest, from 0.
  let position: Int
  let isFailed: Bool
  /// Number of the input's stamp; 0 without one.
  let stamp: UInt64
  /// Bytes before the JSON.
  let prefixCount: Int

  /// Reads a line such as `17 + 1920044@1700000000.000000000 {...}`; nil if it is not one, as after a crash of the
  /// machine. The stamp may be missing.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let begin = bytes.prefix(Self.longestPrefix).firstIndex(of: UInt8(ascii: "{")),
      bytes[bytes.count - 1] == UInt8(ascii: "}"), !bytes.contains(0)
    else { return nil }
    let parts = bytes[..<begin].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 4, parts.last?.isEmpty == true,
      let position = Int(String(decoding: parts[0], as: UTF8.self)), position >= 0
    else { return nil }
    switch String(decoding: parts[1], as: UTF8.self) {
    case "+": isFailed = false
    case "-": isFailed = true
    default: return nil
    }
    self.position = position
    stamp = parts.count == 4 ? FileStamp.number(of: String(decoding: parts[2], as: UTF8.self)) : 0
    prefixCount = begin
  }

  /// Returns the line of a row, with its end.
  static func text(position: Int, isFailed: Bool, stamp: FileStamp?, json: String) -> String {
    "\(position) \(isFailed ? "-" : "+") \(stamp.map { $0.text + " " } ?? "")\(json)\n"
  }
}

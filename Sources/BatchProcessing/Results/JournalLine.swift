/// A row within a journal: its position in the manifest, its outcome, and its JSON.
struct JournalLine {
  /// Position of the row in the manifest, from 0.
  let position: Int
  let isFailed: Bool
  /// Bytes before the JSON.
  let prefixCount: Int

  /// Reads a line such as `17 + {...}`; nil if it is not one, as after a crash of the machine.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    var count = 0
    for byte in bytes.prefix(12) {
      guard (0x30...0x39).contains(byte) else { break }
      position = position * 10 + Int(byte - 0x30)
      count += 1
    }
    guard count > 0, bytes.count > count + 4, bytes[count] == 0x20, bytes[count + 2] == 0x20,
      bytes[count + 3] == UInt8(ascii: "{"), bytes[bytes.count - 1] == UInt8(ascii: "}"), !bytes.contains(0)
    else { return nil }
    switch bytes[count + 1] {
    case UInt8(ascii: "+"): isFailed = false
    case UInt8(ascii: "-"): isFailed = true
    default: return nil
    }
    self.position = position
    prefixCount = count + 3
  }

  /// Returns the line of a row, with its end.
  static func text(position: Int, isFailed: Bool, json: String) -> String {
    "\(position) \(isFailed ? "-" : "+") \(json)\n"
  }
}

/// Characters of the names of channels, users and apps: 89 of ASCII.
enum NameCharacters {
  private static let marks = Array(" !#$%&()+-:;<=.>?@[]^_{}|~,".utf8)

  /// Whether a text of these characters has a length in bytes within `lengths`.
  static func areValid(_ text: String, lengths: ClosedRange<Int>) -> Bool {
    lengths.contains(text.utf8.count) && text.utf8.allSatisfy(contains)
  }

  private static func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: marks.contains(byte)
    }
  }
}

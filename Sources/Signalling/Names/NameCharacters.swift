/// Characters of the names of channels, users and apps: 89 of ASCII.
enum NameCharacters {
  private static let marksText = "!#$%&()+-:;<=.>?@[]^_{}|~,"
  private static let marks = Array((" " + marksText).utf8)

  /// The rule, as the end of a sentence.
  static func rule(maximum: Int) -> String { "1 to \(maximum) of the ASCII letters, digits, space and \(marksText)" }

  /// The fault of a text, as a clause.
  static func fault(in text: String, maximum: Int) -> String {
    if text.utf8.isEmpty { return "it is empty" }
    let position = text.unicodeScalars.firstIndex { !$0.isASCII || !contains(UInt8($0.value)) }
    guard let position else { return "it has \(text.utf8.count) bytes" }
    let scalar = text.unicodeScalars[position]
    let number = text.unicodeScalars.distance(from: text.unicodeScalars.startIndex, to: position) + 1
    let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
    // Others would not be seen, or change the line.
    let isShown = scalar.properties.isAlphabetic || (scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F)
    return "its character \(number) is \(isShown ? "'\(scalar)' (\(code))" : code)"
  }

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

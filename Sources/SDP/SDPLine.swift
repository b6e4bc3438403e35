import Platform

/// A line of SDP.
struct SDPLine {
  /// Number of the line, from 1.
  let number: Int
  let letter: Character
  let value: Substring

  /// For `a=name:value`, the name; for `a=name`, the whole value.
  var attribute: Substring? { letter == "a" ? value.prefix { $0 != ":" } : nil }

  /// For `a=name:value`, the value without spaces before it.
  var attributeValue: Substring { value.drop { $0 != ":" }.dropFirst().drop(while: Self.isBlank) }

  /// Words of the value.
  var words: [Substring] { Self.words(of: value) }

  /// Direction of the packets; nil if the line does not give one.
  var direction: MediaDirection? { letter == "a" ? MediaDirection(rawValue: String(value)) : nil }

  /// Payload type at the beginning of the value, as in `a=fmtp:96 ...`, and the rest.
  var typed: (type: Substring, rest: Substring) {
    let value = attributeValue
    let type = value.prefix { !Self.isBlank($0) }
    return (type, value[type.endIndex...].drop(while: Self.isBlank))
  }

  /// Returns the words between spaces and tabs. A description that is written again with spaces thus reads the same.
  static func words(of text: Substring) -> [Substring] { text.split(whereSeparator: isBlank) }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  /// Returns all lines that are not empty, with any of the usual line ends and without blanks before them.
  ///
  /// Names and values of SDP are ASCII. Other bytes stand there as question marks, apart from a session's name: they
  /// may be many marks that cost seconds to compare.
  ///
  /// The output of ffmpeg begins with a title, which is skipped.
  static func lines(of text: some StringProtocol) throws(SDPError) -> [SDPLine] {
    var lines: [SDPLine] = []
    // Characters that begin a line for other readers, such as a form feed, are removed.
    let scalars = text.unicodeScalars.filter { !otherLineStarts.contains($0.value) }
    let kept = String(String.UnicodeScalarView(scalars))
    let ascii = kept.asciiOnly
    let ends: Set<Character> = ["\r\n", "\n", "\r"]
    for (index, part) in ascii.split(omittingEmptySubsequences: false, whereSeparator: ends.contains).enumerated() {
      let line = trimmed(part)
      guard !line.isEmpty, index > 0 || line != "SDP:" else { continue }
      guard let letter = line.first, letter.isLetter, line.dropFirst().first == "=" else {
        throw .line(number: index + 1)
      }
      var value = line.dropFirst(2)
      if letter == "s" {
        // Both texts have the same bytes up to there.
        let start = kept.utf8.index(
          kept.startIndex, offsetBy: ascii.utf8.distance(from: ascii.startIndex, to: value.startIndex))
        value = kept[start..<kept.utf8.index(start, offsetBy: value.utf8.count)]
      }
      lines.append(SDPLine(number: index + 1, letter: letter, value: value))
    }
    return lines
  }

  /// Vertical tab, form feed, next line, line separator, paragraph separator.
  private static let otherLineStarts: Set<UInt32> = [0x0B, 0x0C, 0x85, 0x2028, 0x2029]

  /// The line without blanks at its end.
  private static func trimmed(_ line: Substring) -> Substring {
    var line = line
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }
}

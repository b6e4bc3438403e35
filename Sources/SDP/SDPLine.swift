/// A line of SDP.
struct SDPLine {
  /// Counted from 1.
  let number: Int
  let letter: Character
  let value: Substring

  /// For `a=name:value`, the name; for `a=name`, the whole.
  var attribute: Substring? { letter == "a" ? value.prefix { $0 != ":" } : nil }

  /// For `a=name:value`, the value without spaces before it.
  var attributeValue: Substring { value.drop { $0 != ":" }.dropFirst().drop(while: Self.isBlank) }

  /// The words of the value.
  var words: [Substring] { Self.words(of: value) }

  /// Who sends, where the line says that.
  var direction: MediaDirection? { letter == "a" ? MediaDirection(rawValue: String(value)) : nil }

  /// Where the value begins with a payload type, as in `a=fmtp:96 ...`: that, and what follows.
  var typed: (type: Substring, rest: Substring) {
    let value = attributeValue
    let type = value.prefix { !Self.isBlank($0) }
    return (type, value[type.endIndex...].drop(while: Self.isBlank))
  }

  /// What stands between blanks, spaces and tabs alike: what is written again with spaces is then read as the same.
  static func words(of text: Substring) -> [Substring] { text.split(whereSeparator: isBlank) }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  /// All lines that are not empty, with any of the usual line ends and without blanks before it.
  ///
  /// What ffmpeg prints of itself begins with a title, which is passed over.
  static func lines(of text: some StringProtocol) throws(SDPError) -> [SDPLine] {
    var lines: [SDPLine] = []
    let ends: Set<Character> = ["\r\n", "\n", "\r"]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: ends.contains).enumerated() {
      // What begins a line for other readers, such as a form feed, is not handed on to them.
      var line = Substring(line.filter { !$0.isNewline })
      while let last = line.last, isBlank(last) { line.removeLast() }
      guard !line.isEmpty, index > 0 || line != "SDP:" else { continue }
      guard let letter = line.first, letter.isLetter, line.dropFirst().first == "=" else {
        throw .line(number: index + 1)
      }
      lines.append(SDPLine(number: index + 1, letter: letter, value: line.dropFirst(2)))
    }
    return lines
  }
}

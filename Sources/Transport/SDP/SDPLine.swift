/// A line of SDP.
struct SDPLine {
  /// Counted from 1.
  let number: Int
  let letter: Character
  let value: Substring

  /// For `a=name:value`, the name; for `a=name`, the whole.
  var attribute: Substring? { letter == "a" ? value.prefix { $0 != ":" } : nil }

  /// For `a=name:value`, the value without spaces before it.
  var attributeValue: Substring { value.drop { $0 != ":" }.dropFirst().drop { $0 == " " } }

  /// Where the value begins with a payload type, as in `a=fmtp:96 ...`: that, and what follows.
  var typed: (type: Substring, rest: Substring) {
    let type = attributeValue.prefix { $0 != " " }
    return (type, attributeValue[type.endIndex...].drop { $0 == " " })
  }

  /// All lines that are not empty, with any kind of line end.
  static func lines(of text: some StringProtocol) throws(SDPError) -> [SDPLine] {
    var lines: [SDPLine] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = Substring(line)
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      guard let letter = line.first, letter.isLetter, line.dropFirst().first == "=" else {
        throw .line(number: index + 1)
      }
      lines.append(SDPLine(number: index + 1, letter: letter, value: line.dropFirst(2)))
    }
    return lines
  }
}

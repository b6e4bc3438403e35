import Platform

/// Parses the text of one value into an `OptionValue`.
package struct ValueParser {
  /// Name of the option or key in sentences: `option '--gain'`.
  package let subject: String

  package init(subject: String) {
    self.subject = subject
  }

  /// Parses the text of a value.
  ///
  /// - Throws: a usage failure, one sentence that states the requirement for the value.
  package func parse(_ text: String, as kind: ValueKind) throws(CommandFailure) -> OptionValue {
    guard !text.isEmpty else {
      throw .usage("\(subject) was given an empty value; it needs \(kind.requirement)")
    }
    switch kind {
    case .none: throw .usage("\(subject) takes no value, but was given '\(text)'")
    case .text, .file, .directory: return .text(text)
    case .integer(let range):
      guard let value = Self.integer(text), range.contains(value) else { throw refusal(text, kind) }
      return .integer(value)
    case .number(let range, let unit):
      guard let value = Self.number(text, unit: unit), range.contains(value) else {
        if let value = Self.number(text, unit: unit), range.upperBound < 0, range.contains(-value) {
          throw .usage("\(subject) cannot take '\(text)'; it needs \(kind.requirement): did you mean '-\(text)'?")
        }
        throw refusal(text, kind)
      }
      return .number(value)
    case .choice(let words): return .text(try choose(text, among: words, kind))
    case .choices(let words):
      var list: [String] = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        let word = try choose(String(word), among: words, kind)
        if !list.contains(word) { list.append(word) }
      }
      return .list(list)
    case .keyed(let kind): return .keyed(try KeyedParser(subject: subject, kind: kind).parse(text))
    }
  }

  private func choose(_ word: String, among words: [String], _ kind: ValueKind) throws(CommandFailure)
    -> String
  {
    guard !words.contains(word) else { return word }
    let ending = Suggestion.ending(for: word, among: words, otherwise: "; it needs \(kind.requirement)")
    throw .usage("\(subject) cannot take '\(word)'\(ending)")
  }

  private func refusal(_ text: String, _ kind: ValueKind) -> CommandFailure {
    .usage("\(subject) cannot take '\(text)'; it needs \(kind.requirement)")
  }

  private static func integer(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }) else {
      return nil
    }
    return Int(text)
  }

  /// Parses digits, sign, point and exponent only, not `nan`, `inf` or the hexadecimal numbers that `Double.init`
  /// takes.
  private static func number(_ text: String, unit: String?) -> Double? {
    var digits = Substring(text)
    if let unit, text.hasSuffix(unit) { digits = text.dropLast(unit.count) }
    guard digits.utf8.allSatisfy({ isDigit($0) || "+-.eE".utf8.contains($0) }),
      digits.utf8.contains(where: isDigit),
      let value = Double(digits), value.isFinite
    else { return nil }
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}

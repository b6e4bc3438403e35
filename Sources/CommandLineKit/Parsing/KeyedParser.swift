import Platform

/// Parses `FILE:key=value:key=value`.
package struct KeyedParser {
  /// Name of the option in sentences.
  package let subject: String
  package let kind: KeyValueSyntax

  package init(subject: String, kind: KeyValueSyntax) {
    self.subject = subject
    self.kind = kind
  }

  /// Parses the text of a value.
  ///
  /// - Throws: a usage failure, one sentence.
  package func parse(_ text: String) throws(CommandFailure) -> KeyedValue {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let firstKey =
      switch kind.head {
      case .choice, .number: 1
      // A path may contain colons, even `:x=`: it ends before a declared key.
      case .file: parts.indices.dropFirst().first { declares(parts[$0]) } ?? parts.count
      }
    let head = parts[..<firstKey].joined(separator: ":")
    try check(head, parts: parts[..<firstKey])
    var values: [String: OptionValue] = [:]
    for part in parts[firstKey...] {
      let (name, value) = try parseKey(part)
      guard values.updateValue(value, forKey: name) == nil else {
        throw .usage("\(subject) has the key '\(name)' more than once; give it one time")
      }
    }
    return KeyedValue(head: head, values: values)
  }

  private func declares(_ part: Substring) -> Bool {
    guard let sign = part.firstIndex(of: "=") else { return false }
    return kind.key(part[..<sign]) != nil
  }

  private func check(_ head: String, parts: ArraySlice<Substring>) throws(CommandFailure) {
    switch kind.head {
    case .choice(let words): _ = try ValueParser(subject: subject).parse(head, as: .choice(words))
    case .number(let range, let unit):
      _ = try ValueParser(subject: subject).parse(head, as: .number(range, unit: unit))
    case .file:
      guard !head.isEmpty else { throw .usage("\(subject) names no file; it needs \(kind.syntax)") }
      // Otherwise a wrong first key would become part of the file's name, and the message would be about a missing
      // file.
      for part in parts.dropFirst() {
        guard let sign = part.firstIndex(of: "="), sign > part.startIndex else { continue }
        let (name, value) = (part[..<sign], part[part.index(after: sign)...])
        // A part with a folder or an extension is the rest of a path.
        let isPath = value.contains("/") || zip(value, value.dropFirst()).contains { $0 == "." && $1.isLetter }
        if !isPath, name.allSatisfy(\.isLetter) { throw unknownKey(String(name)) }
      }
    }
  }

  private func parseKey(_ part: Substring) throws(CommandFailure) -> (name: String, value: OptionValue) {
    let sign = part.firstIndex(of: "=")
    let name = String(part[..<(sign ?? part.endIndex)])
    guard let key = kind.key(name) else {
      throw unknownKey(name)
    }
    let subject = "key '\(name)' of \(subject)"
    guard let sign else {
      guard key.value == .none else { throw .usage("\(subject) needs a value: \(key.syntax)") }
      return (name, .flag)
    }
    return (
      name, try ValueParser(subject: subject).parse(String(part[part.index(after: sign)...]), as: key.value)
    )
  }

  private func unknownKey(_ name: String) -> CommandFailure {
    let names = kind.keys.map(\.name)
    let ending = Suggestion.ending(
      for: name, among: names, otherwise: "; the keys are \(names.joined(separator: ", "))")
    return .usage("\(subject) has no key '\(name)'\(ending)")
  }
}
